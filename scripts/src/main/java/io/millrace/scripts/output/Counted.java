package io.millrace.scripts.output;

/** Formats a count that stops at a limit. */
public final class Counted {
  private Counted() {}

  /** Returns the number, followed by + if there may be more. */
  public static String of(long number, boolean atLeast) {
    return number + (atLeast ? "+" : "");
  }
}
