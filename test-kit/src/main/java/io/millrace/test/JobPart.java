package io.millrace.test;

import io.millrace.api.Disposition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One part of a {@link JobRun} that was split. Immutable.
 *
 * @param number from 1; a shard with this number has the index below it
 * @param disposition how it ended; null if it has not ended
 * @param cause why it ended so, if that is not evident from the attempts; otherwise null
 * @param attempts the attempts, in order; none if it never ran
 */
public record JobPart(
    int number,
    @Nullable Disposition disposition,
    @Nullable String cause,
    List<JobAttempt> attempts) {

  /** Copies the attempts. */
  public JobPart {
    attempts = List.copyOf(attempts);
  }

  /** Returns whether the handler was called at least once. */
  public boolean hasStarted() {
    return attempts.stream().anyMatch(attempt -> attempt.startedAt() != null);
  }

  /** Returns the message of the last attempt, or null. */
  public @Nullable String message() {
    return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1).message();
  }
}
