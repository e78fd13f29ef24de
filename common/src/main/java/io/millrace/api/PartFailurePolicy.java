package io.millrace.api;

/**
 * What it means that a part of a run failed, is dead or was cancelled: after its retries, as far as
 * it has any.
 */
public enum PartFailurePolicy {
  /**
   * The other parts run. Then the run ends DEAD if a part is dead and FAILED otherwise, without its
   * reduce. The default.
   */
  FINISH,
  /**
   * The first failure stops the others: those that wait are deleted, those that run are told to
   * stop. The run ends as with {@link #FINISH}.
   */
  STOP,
  /**
   * The other parts run, and then the reduce, which sees the failed ones too. Its end is the end of
   * the run; without a reduce the run succeeds.
   */
  IGNORE,
  /** A value of a newer protocol. */
  UNKNOWN
}
