package io.millrace.api;

/** How one attempt ended, as reported by the worker. */
public enum Outcome {
  /** The job did its work. */
  SUCCESS,
  /** The job reports that it failed; final, no attempt follows. */
  FAILED,
  /** The job asks to run again after a delay; the attempt does not count. */
  LATER,
  /** The job threw; another attempt follows while the retry policy allows one. */
  EXCEPTION,
  /** The job exceeded its time-out; another attempt follows while the retry policy allows one. */
  TIMED_OUT,
  /**
   * The worker stopped before or while the job ran; the trigger waits again, the attempt does not
   * count.
   */
  INTERRUPTED,
  /**
   * The worker received no answer from a tracker for nearly the length of a lease and interrupted
   * the job, because another worker might receive it; the trigger waits again, the attempt does not
   * count.
   */
  LEASE_LOST,
  /**
   * The worker never started the job, because it had given up the pull; the attempt does not count.
   */
  NOT_STARTED,
  /**
   * The worker has no runner with the handler's name; the trigger waits again, the attempt does not
   * count.
   */
  UNKNOWN_HANDLER,
  /** A value of a newer protocol. */
  UNKNOWN
}
