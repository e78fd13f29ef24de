package io.millrace.torture.oracle;

/** The promises of Millrace, named by how they can be broken. */
public enum Promise {
  /** An acknowledged job or a planned trigger did not end, or ended without justification. */
  LOST,
  /** An invocation began without a request, and no fault explains it. */
  UNEXPLAINED_DUPLICATE,
  /** An ended trigger, execution or submit was accepted again. */
  ACCEPTED_TWICE,
  /** An invocation began outside its permitted time. */
  EARLY,
  /** A trigger waits or executes long after its time, or nothing was dispatched for too long. */
  STUCK
}
