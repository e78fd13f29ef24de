package io.millrace.common.model;

/** How one attempt ended, as the worker tells it. */
public enum Outcome {
  /** The job did its work. */
  SUCCESS,
  /** The job says it failed; final, no attempt follows. */
  FAILED,
  /** The job asks to run again after a delay; the attempt does not count. */
  LATER,
  /** The job threw; another attempt follows while the retry policy allows one. */
  EXCEPTION,
  /** The job ran longer than it may; another attempt follows while the retry policy allows one. */
  TIMED_OUT,
  /** The worker stopped before or while the job ran; goes back, the attempt does not count. */
  INTERRUPTED,
  /**
   * The worker had heard from no tracker for nearly a lease and interrupted the job, which another
   * worker might have been given; goes back, the attempt does not count.
   */
  LEASE_LOST,
  /** The worker never started the job: its pull had been given up; the attempt does not count. */
  NOT_STARTED,
  /** The worker has no runner of the handler's name; goes back, the attempt does not count. */
  UNKNOWN_HANDLER,
  /** A value of a newer protocol. */
  UNKNOWN
}
