package io.millrace.jobtracker.domain.outcome;

import io.millrace.api.TriggerResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The end of a trigger that a client group has not acknowledged yet: a row of {@code jt_feedback}.
 *
 * @param id of the row; rises, and gives the order of delivery
 * @param clientGroup the client group that receives the result
 * @param result the end to send
 * @param executionId the execution whose result of the job is sent with it; null if it has none
 */
public record Feedback(
    long id, String clientGroup, TriggerResult result, @Nullable Long executionId) {

  /** Creates the feedback on an end without a result of the job. */
  public Feedback(long id, String clientGroup, TriggerResult result) {
    this(id, clientGroup, result, null);
  }

  /**
   * Returns a copy with the result of the job.
   *
   * @param results as JSON, by execution id
   */
  public Feedback withResultOf(Map<Long, String> results) {
    String json = executionId == null ? null : results.get(executionId);
    TriggerResult with =
        new TriggerResult(
            result.nodeGroup(),
            result.taskId(),
            result.plannedFor(),
            result.ordinal(),
            result.disposition(),
            result.attempt(),
            result.message(),
            result.finishedAt(),
            json);
    return json == null ? this : new Feedback(id, clientGroup, with, executionId);
  }
}
