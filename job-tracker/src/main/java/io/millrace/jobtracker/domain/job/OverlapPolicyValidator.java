package io.millrace.jobtracker.domain.job;

import io.millrace.common.model.OverlapPolicy;
import io.millrace.common.model.RejectReason;
import io.millrace.common.model.Schedule;
import io.millrace.jobtracker.domain.Rejection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether an overlap policy can be accepted. */
public final class OverlapPolicyValidator {
  private OverlapPolicyValidator() {}

  /** The first fault of the policy, or empty if it is valid or none was set. */
  public static Optional<Rejection> check(@Nullable OverlapPolicy policy, Schedule schedule) {
    if (policy == null) {
      return Optional.empty();
    }
    if (!schedule.isRecurring()) {
      return bad("a one-shot cannot have an overlap policy: it has only one trigger");
    }
    if (policy.kind() == OverlapPolicy.Kind.UNKNOWN) {
      return bad("the kind of the overlap policy must be ALLOW, SKIP or QUEUE");
    }
    boolean isBounded = policy.limit() >= 1 && policy.limit() <= OverlapPolicy.MAX_LIMIT;
    return policy.kind() == OverlapPolicy.Kind.QUEUE && !isBounded
        ? bad(
            "the limit "
                + policy.limit()
                + " of the overlap policy must be between 1 and "
                + OverlapPolicy.MAX_LIMIT)
        : Optional.empty();
  }

  private static Optional<Rejection> bad(String message) {
    return Optional.of(new Rejection(RejectReason.BAD_OVERLAP_POLICY, message));
  }
}
