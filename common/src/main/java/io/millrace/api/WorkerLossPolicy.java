package io.millrace.api;

/**
 * What becomes of the part of a broadcast whose worker is gone before it has run it: its process
 * has ended, drains, or has not pulled for as long as its lease.
 */
public enum WorkerLossPolicy {
  /** The part is SKIPPED, which is no failure: the worker is not there any more. The default. */
  SKIP,
  /** The part is DEAD, which is a failure of the run. */
  DEAD,
  /** A value of a newer protocol. */
  UNKNOWN
}
