package io.millrace.torture.load;

import java.time.Duration;

/**
 * One step of a client.
 *
 * @param number the position in the plan, from 0
 * @param at when to execute it, relative to the begin of the run; later if earlier steps of the
 *     same job have no result yet
 * @param kind the request
 * @param job the job of the request
 */
public record Step(int number, Duration at, Kind kind, LoadJob job) {

  /** The kinds of request. */
  public enum Kind {
    SUBMIT,
    /** Submits and replaces the live job. */
    REPLACE,
    CANCEL,
    PAUSE,
    RESUME
  }
}
