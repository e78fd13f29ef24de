package io.millrace.internal.model.job;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.Schedule;
import io.millrace.api.WorkerLossPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the overlap policy, the misfire policy, the time-out and the options of the parts
 * of a job can be accepted: each method returns the first fault, or empty if the values are valid
 * or none was set.
 */
public final class PolicyValidator {
  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(10);
  private static final Duration LONGEST_WINDOW = Duration.ofDays(365);
  private static final int MAX_CAP = 1_000;

  private PolicyValidator() {}

  /** The fault of a run time-out. */
  public static Optional<Rejection> checkTimeout(@Nullable Duration timeout) {
    return timeout == null || isBetween(timeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT)
        ? Optional.empty()
        : bad(
            RejectReason.BAD_TIMEOUT,
            "the time-out %s must be between %s and %s"
                .formatted(timeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
  }

  /** The first fault of what holds for all parts of a run. */
  static Optional<Rejection> checkBatch(
      @Nullable PartFailurePolicy onPartFailure, @Nullable Duration within) {
    if (onPartFailure == PartFailurePolicy.UNKNOWN) {
      return bad(
          RejectReason.BAD_BATCH_OPTIONS,
          "the policy for failed parts must be FINISH, STOP or IGNORE");
    }
    return within == null || isBetween(within, SHORTEST_TIMEOUT, LONGEST_TIMEOUT)
        ? Optional.empty()
        : bad(
            RejectReason.BAD_BATCH_OPTIONS,
            "the time %s for a run with its parts must be between %s and %s"
                .formatted(within, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
  }

  /** The first fault of a broadcast: of what is set with it, or without it. */
  static Optional<Rejection> checkBroadcast(Job job) {
    RejectReason reason = RejectReason.BAD_BROADCAST;
    if (job.onWorkerLost() == WorkerLossPolicy.UNKNOWN) {
      return bad(reason, "the policy for workers that are gone must be SKIP or DEAD");
    }
    if (!job.broadcast()) {
      return job.onWorkerLost() == null
          ? Optional.empty()
          : bad(reason, "onWorkerLost is allowed only with broadcast");
    }
    if (job.shards() != null) {
      return bad(
          reason, "broadcast and shards are not allowed together: each says what the parts are");
    }
    return job.stickTo() == null
        ? Optional.empty()
        : bad(
            reason,
            "broadcast and stickTo are not allowed together: one is for each worker, the other for one");
  }

  /** The first fault of an overlap policy. */
  public static Optional<Rejection> checkOverlap(
      @Nullable OverlapPolicy policy, Schedule schedule) {
    RejectReason reason = RejectReason.BAD_OVERLAP_POLICY;
    if (policy == null) {
      return Optional.empty();
    }
    if (!schedule.isRecurring()) {
      return bad(reason, "a one-shot cannot have an overlap policy: it has only one trigger");
    }
    if (policy.kind() == OverlapPolicy.Kind.UNKNOWN) {
      return bad(reason, "the kind of the overlap policy must be ALLOW, SKIP or QUEUE");
    }
    boolean isBounded = policy.limit() >= 1 && policy.limit() <= OverlapPolicy.MAX_LIMIT;
    return policy.kind() != OverlapPolicy.Kind.QUEUE || isBounded
        ? Optional.empty()
        : bad(
            reason,
            "the limit %s of the overlap policy must be between 1 and %s"
                .formatted(policy.limit(), OverlapPolicy.MAX_LIMIT));
  }

  /** The first fault of a misfire policy. */
  public static Optional<Rejection> checkMisfire(
      @Nullable MisfirePolicy policy, Schedule schedule) {
    RejectReason reason = RejectReason.BAD_MISFIRE_POLICY;
    if (policy == null) {
      return Optional.empty();
    }
    if (!schedule.isRecurring()) {
      return bad(
          reason,
          "a one-shot cannot have a misfire policy: it is never missed and runs when possible");
    }
    if (policy.kind() == MisfirePolicy.Kind.UNKNOWN) {
      return bad(reason, "the kind of the misfire policy must be NONE, LATEST or ALL");
    }
    if (!isBetween(policy.window(), SHORTEST_WINDOW, LONGEST_WINDOW)) {
      return bad(
          reason,
          "the window %s of the misfire policy must be between %s and %s"
              .formatted(policy.window(), SHORTEST_WINDOW, LONGEST_WINDOW));
    }
    return policy.cap() >= 1 && policy.cap() <= MAX_CAP
        ? Optional.empty()
        : bad(
            reason,
            "the cap %s of the misfire policy must be between 1 and %s"
                .formatted(policy.cap(), MAX_CAP));
  }

  private static boolean isBetween(Duration value, Duration least, Duration most) {
    return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
  }

  private static Optional<Rejection> bad(RejectReason reason, String message) {
    return Optional.of(new Rejection(reason, message));
  }
}
