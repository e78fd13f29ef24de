package io.millrace.torture.load;

import java.time.Duration;

/**
 * One thing that a client does.
 *
 * @param number its place in the plan, from 0
 * @param at when it is done, counted from the begin of the run; later if the steps before it of the
 *     same job are not answered
 * @param kind what is done
 * @param job with which job
 */
public record Step(int number, Duration at, Kind kind, LoadJob job) {

  /** What a client can do. */
  public enum Kind {
    SUBMIT,
    /** Submits in the place of what lives there. */
    REPLACE,
    CANCEL,
    PAUSE,
    RESUME
  }
}
