package io.millrace.api;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of one trigger, as feedback, {@code await} and {@link JobStatus} tell it. As feedback it
 * is sent when its disposition is recorded to one live client of the submitting client group, and
 * again until a client acknowledges it. So a handler may receive it twice.
 *
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedFor the fire time of the schedule
 * @param ordinal 0 for a scheduled trigger; from 1 for the extra ones of a run now
 * @param disposition how the trigger ended
 * @param attempt the number of its last attempt, from 1; 0 if it was never claimed
 * @param message the message of the last attempt; null if there is none
 * @param finishedAt when the tracker recorded the end
 * @param result the result of the job as JSON, up to 64 KiB; null if it has none, or none any more
 */
public record TriggerResult(
    String nodeGroup,
    String taskId,
    Instant plannedFor,
    int ordinal,
    Disposition disposition,
    int attempt,
    @Nullable String message,
    Instant finishedAt,
    @Nullable String result) {

  /** Creates the end of a trigger without a result. */
  public TriggerResult(
      String nodeGroup,
      String taskId,
      Instant plannedFor,
      int ordinal,
      Disposition disposition,
      int attempt,
      @Nullable String message,
      Instant finishedAt) {
    this(nodeGroup, taskId, plannedFor, ordinal, disposition, attempt, message, finishedAt, null);
  }

  public TriggerResult {
    disposition = disposition == null ? Disposition.UNKNOWN : disposition;
  }

  /**
   * Returns the result as a value, or empty if there is none.
   *
   * @throws ValueException if it does not fit the type
   */
  public <T> Optional<T> result(ValueType<T> type, ValueMapper mapper) {
    @SuppressWarnings("unchecked") // the mapper returns values of the type
    T value = result == null ? null : (T) mapper.fromJson(result, type.type());
    return Optional.ofNullable(value);
  }

  /** Returns the result as a value, read by {@link ValueMapper#standard}; see the other form. */
  public <T> Optional<T> result(Class<T> type) {
    return result(ValueType.of(type), ValueMapper.standard());
  }
}
