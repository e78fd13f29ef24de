package io.millrace.test;

import io.millrace.api.Disposition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One planned run of a job that a worker was given, or that has ended without. Immutable.
 *
 * @param nodeGroup the node group of the job
 * @param taskId the task id of the job
 * @param plannedFor the instant that the schedule planned, the same for all attempts; of several
 *     instants in a row that were skipped, the first
 * @param instants how many planned instants this stands for: 1, or more if they were skipped
 * @param disposition how it ended; null if it has not ended
 * @param cause why it ended so, if that is not evident from the attempts; otherwise null
 * @param attempts the attempts, in order; none if it never ran, or if it was split before it ran
 * @param parts the parts that it was split into, in order; none if it was not split
 */
public record JobRun(
    String nodeGroup,
    String taskId,
    Instant plannedFor,
    long instants,
    @Nullable Disposition disposition,
    @Nullable String cause,
    List<JobAttempt> attempts,
    List<JobPart> parts) {

  /** Copies the attempts and the parts. */
  public JobRun {
    attempts = List.copyOf(attempts);
    parts = List.copyOf(parts);
  }

  /** Returns whether the handler was called at least once, for the run or for a part of it. */
  public boolean hasStarted() {
    return attempts.stream().anyMatch(attempt -> attempt.startedAt() != null)
        || parts.stream().anyMatch(JobPart::hasStarted);
  }

  /** Returns whether the run was split into parts. */
  public boolean isSplit() {
    return !parts.isEmpty();
  }

  /** Returns the attempts of the run and of its parts. */
  public List<JobAttempt> allAttempts() {
    return Stream.concat(
            attempts.stream(), parts.stream().flatMap(part -> part.attempts().stream()))
        .toList();
  }

  /** Returns the message of the last attempt, or null. */
  public @Nullable String message() {
    return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1).message();
  }

  /** Returns the value that the last attempt returned, as JSON, or null. */
  public @Nullable String result() {
    return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1).result();
  }

  /**
   * Returns the parameters that the last attempt received, of the run or of its last part that ran;
   * none if there was no attempt.
   */
  public Map<String, String> params() {
    List<JobAttempt> all = allAttempts();
    return all.isEmpty() ? Map.of() : all.get(all.size() - 1).params();
  }
}
