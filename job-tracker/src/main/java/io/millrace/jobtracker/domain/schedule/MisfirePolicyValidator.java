package io.millrace.jobtracker.domain.schedule;

import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.RejectReason;
import io.millrace.common.model.Schedule;
import io.millrace.jobtracker.domain.Rejection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a misfire policy can be accepted. */
public final class MisfirePolicyValidator {
  static final Duration SHORTEST_WINDOW = Duration.ofSeconds(10);
  static final Duration LONGEST_WINDOW = Duration.ofDays(365);
  static final int MAX_CAP = 1_000;

  private MisfirePolicyValidator() {}

  /** The first fault of the policy, or empty if it is valid or none was set. */
  public static Optional<Rejection> check(@Nullable MisfirePolicy policy, Schedule schedule) {
    if (policy == null) {
      return Optional.empty();
    }
    if (!schedule.isRecurring()) {
      return bad(
          "a one-shot cannot have a misfire policy: it is never missed and runs when possible");
    }
    if (policy.kind() == MisfirePolicy.Kind.UNKNOWN) {
      return bad("the kind of the misfire policy must be NONE, LATEST or ALL");
    }
    if (policy.window().compareTo(SHORTEST_WINDOW) < 0
        || policy.window().compareTo(LONGEST_WINDOW) > 0) {
      return bad(
          "the window "
              + policy.window()
              + " of the misfire policy must be between "
              + SHORTEST_WINDOW
              + " and "
              + LONGEST_WINDOW);
    }
    return policy.cap() < 1 || policy.cap() > MAX_CAP
        ? bad("the cap " + policy.cap() + " of the misfire policy must be between 1 and " + MAX_CAP)
        : Optional.empty();
  }

  private static Optional<Rejection> bad(String message) {
    return Optional.of(new Rejection(RejectReason.BAD_MISFIRE_POLICY, message));
  }
}
