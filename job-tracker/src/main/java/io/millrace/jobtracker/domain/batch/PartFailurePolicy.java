package io.millrace.jobtracker.domain.batch;

/** What a failed part means for the others, and for the run. */
public enum PartFailurePolicy {
  /** The others run; the run fails, without its reduce. The default. */
  FINISH,
  /** The first failure stops the others; the run fails. */
  STOP,
  /** The others run, then the reduce, which is told of the failed ones; it alone decides. */
  IGNORE
}
