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
 * @param moment from 0 to 1: when in a stop or a start that is cut short the kill comes
 */
public record PlannedFault(
    Fault.Kind kind, Victim victim, Duration at, Duration lasts, boolean oneWay, double moment) {
  private static final long SHORTEST_START = 50;
  private static final long LONGEST_START = 3_000;

  /** How long a start that is cut short is left alone. */
  public Duration ofStart() {
    return Duration.ofMillis(
        SHORTEST_START + Math.round((LONGEST_START - SHORTEST_START) * moment));
  }

  /** When it should be healed, counted from the begin of the run. */
  public Duration healedAt() {
    return kind == Fault.Kind.START_CUT_SHORT ? at.plus(ofStart()).plus(lasts) : at.plus(lasts);
  }
}
