package io.millrace.jobtracker.domain.schedule;

import io.millrace.common.model.MisfirePolicy;
import java.time.Instant;
import java.util.Optional;

/**
 * Which fire times of a job are missed at an instant, and what the job's policy says of those. At
 * most one that is due is not missed: the newest one, while it is late by no more than the
 * threshold. With {@link MisfirePolicy.Kind#LATEST} it stands for all that were missed before it.
 * Immutable.
 *
 * @param before fire times before this instant are missed, in epoch milliseconds
 * @param policy what becomes of them; its cap is one that a plan can hold
 */
public record MissedAt(long before, MisfirePolicy policy) {

  /** Of a job whose triggers are written ahead. */
  public static MissedAt of(
      FireTimes times, MisfirePolicy policy, GenerationLimits limits, long now) {
    Optional<Instant> inTime = limits.inTime(times, now);
    return new MissedAt(
        inTime.map(Instant::toEpochMilli).orElse(limits.lateBefore(now)),
        inTime.isPresent() && isLatest(policy) ? MisfirePolicy.none() : limits.bounded(policy));
  }

  /**
   * Of a job that has one trigger at a time: nothing takes its place, so it is missed because of
   * the next fire time only if nothing that was missed runs.
   */
  public static MissedAt ofChained(
      FireTimes times, MisfirePolicy policy, GenerationLimits limits, long now) {
    return new MissedAt(
        policy.kind() == MisfirePolicy.Kind.NONE
            ? limits.missedBefore(times, now)
            : limits.lateBefore(now),
        limits.bounded(policy));
  }

  /** Whether of what was missed the newest one runs, if any does. */
  public static boolean isLatest(MisfirePolicy policy) {
    return policy.kind() == MisfirePolicy.Kind.LATEST
        || policy.kind() == MisfirePolicy.Kind.UNKNOWN;
  }
}
