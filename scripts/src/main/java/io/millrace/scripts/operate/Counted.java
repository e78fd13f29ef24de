package io.millrace.scripts.operate;

/** What was counted up to a bound. */
final class Counted {
  private Counted() {}

  /** The number, with a + behind it if there may be more. */
  static String of(long number, boolean atLeast) {
    return number + (atLeast ? "+" : "");
  }
}
