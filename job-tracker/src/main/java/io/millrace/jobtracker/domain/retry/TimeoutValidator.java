package io.millrace.jobtracker.domain.retry;

import io.millrace.common.model.RejectReason;
import io.millrace.jobtracker.domain.Rejection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a run time-out can be accepted. */
public final class TimeoutValidator {
  static final Duration SHORTEST = Duration.ofMillis(1);
  static final Duration LONGEST = Duration.ofDays(365);

  private TimeoutValidator() {}

  /** The fault of the time-out, or empty if it is valid or none was set. */
  public static Optional<Rejection> check(@Nullable Duration timeout) {
    return timeout == null || (timeout.compareTo(SHORTEST) >= 0 && timeout.compareTo(LONGEST) <= 0)
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                RejectReason.BAD_TIMEOUT,
                "the time-out " + timeout + " must be between " + SHORTEST + " and " + LONGEST));
  }
}
