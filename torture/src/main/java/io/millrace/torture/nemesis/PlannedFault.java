package io.millrace.torture.nemesis;

import java.time.Duration;

/**
 * A fault that is yet to be done.
 *
 * @param kind what is to be done
 * @param victim to whom
 * @param at when, counted from the begin of the run
 * @param lasts how long until it is healed
 * @param oneWay whether what is cut off still hears, or is still heard
 */
public record PlannedFault(
    Fault.Kind kind, Victim victim, Duration at, Duration lasts, boolean oneWay) {

  /** When it is healed, counted from the begin of the run. */
  public Duration healedAt() {
    return at.plus(lasts);
  }
}
