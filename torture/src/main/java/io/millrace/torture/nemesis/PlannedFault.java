package io.millrace.torture.nemesis;

import java.time.Duration;

/**
 * A planned fault.
 *
 * @param kind the kind of fault
 * @param victim the part to affect
 * @param at when, relative to the begin of the run
 * @param lasts the time until it is healed
 * @param oneWay whether only one direction of a wire is affected
 * @param moment when a shortened stop or start is killed, from 0 to 1
 */
public record PlannedFault(
    Fault.Kind kind, Victim victim, Duration at, Duration lasts, boolean oneWay, double moment) {
  private static final long SHORTEST_START = 50;
  private static final long LONGEST_START = 3_000;

  /** Returns how long a shortened start runs before the kill. */
  public Duration ofStart() {
    return Duration.ofMillis(
        SHORTEST_START + Math.round((LONGEST_START - SHORTEST_START) * moment));
  }

  /** Returns when the fault should be healed, relative to the begin of the run. */
  public Duration healedAt() {
    return kind == Fault.Kind.START_CUT_SHORT ? at.plus(ofStart()).plus(lasts) : at.plus(lasts);
  }
}
