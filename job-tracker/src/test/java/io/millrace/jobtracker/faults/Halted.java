package io.millrace.jobtracker.faults;

/** Unwinds the stack of a tracker whose process has ended. */
final class Halted extends Error {
  private static final long serialVersionUID = 1L;

  Halted() {
    super("the process has ended", null, false, false);
  }
}
