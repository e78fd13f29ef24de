package io.millrace.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a run-now request.
 *
 * @param status what was done; never UNCHANGED
 * @param plannedFor together with the ordinal, the identity of the extra trigger; null if there is
 *     none
 * @param ordinal counts the extra triggers of the job, from 1; 0 if there is none
 * @param message for a person: what was done, or why nothing was
 * @param handle names this run, to ask for its status or to await its end; null if there is none
 */
public record RunNowResult(
    ChangeStatus status,
    @Nullable Instant plannedFor,
    int ordinal,
    String message,
    @Nullable JobHandle handle) {

  /** Makes a result without a handle. */
  public RunNowResult(
      ChangeStatus status, @Nullable Instant plannedFor, int ordinal, String message) {
    this(status, plannedFor, ordinal, message, null);
  }

  /** Whether the extra trigger is stored. */
  public boolean isAccepted() {
    return status == ChangeStatus.CHANGED;
  }

  /** The same result with this handle. */
  public RunNowResult withHandle(JobHandle of) {
    return new RunNowResult(status, plannedFor, ordinal, message, of);
  }
}
