package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.MisfirePolicy;
import java.time.Instant;
import java.util.Optional;

/**
 * Which fire times of a job are missed at an instant, and what the job's policy does with them. At
 * most one due fire time is not missed: the newest one, while it is late by no more than the
 * threshold. With {@link MisfirePolicy.Kind#LATEST} it replaces all that were missed before it.
 * Immutable.
 *
 * @param before fire times before this instant are missed, in epoch milliseconds
 * @param policy what becomes of them; its cap is one that a plan can hold
 */
public record MissedAt(long before, MisfirePolicy policy) {

  /** The missed fire times of a job whose triggers are written ahead. */
  public static MissedAt of(
      FireTimes times, MisfirePolicy policy, GenerationLimits limits, long now) {
    Optional<Instant> inTime = limits.inTime(times, now);
    return new MissedAt(
        inTime.map(Instant::toEpochMilli).orElse(limits.lateBefore(now)),
        inTime.isPresent() && isLatest(policy) ? MisfirePolicy.none() : limits.bounded(policy));
  }

  /**
   * The missed fire times of a job that has one trigger at a time. No later fire time replaces its
   * trigger, so the next fire time makes it missed only if the policy runs no missed ones.
   */
  public static MissedAt ofChained(
      FireTimes times, MisfirePolicy policy, GenerationLimits limits, long now) {
    return new MissedAt(
        policy.kind() == MisfirePolicy.Kind.NONE
            ? limits.missedBefore(times, now)
            : limits.lateBefore(now),
        limits.bounded(policy));
  }

  /** Whether, of the missed fire times, only the newest one runs. */
  public static boolean isLatest(MisfirePolicy policy) {
    return policy.kind() == MisfirePolicy.Kind.LATEST
        || policy.kind() == MisfirePolicy.Kind.UNKNOWN;
  }
}
