package io.millrace.torture.oracle;

/** What Millrace promises, by the ways in which it can be broken. */
public enum Promise {
  /** What was acknowledged, or planned, came to no end, or to one that nothing justifies. */
  LOST,
  /** A body began that nothing had asked for, and no fault explains it. */
  UNEXPLAINED_DUPLICATE,
  /** What was over was taken in once more. */
  ACCEPTED_TWICE,
  /** A body began outside its time. */
  EARLY,
  /**
   * Something waits or executes whose time has long come, or nothing was dispatched for too long.
   */
  STUCK
}
