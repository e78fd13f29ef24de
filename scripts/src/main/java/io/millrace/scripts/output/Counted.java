package io.millrace.scripts.output;

/** What was counted up to a bound. */
public final class Counted {
  private Counted() {}

  /** The number, with a + behind it if there may be more. */
  public static String of(long number, boolean atLeast) {
    return number + (atLeast ? "+" : "");
  }
}
