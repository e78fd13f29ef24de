package io.millrace.console.api.job;

import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.TriggerRow;
import io.millrace.console.http.Problem.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The edited form of a live job, in the shape of {@link JobDetail}. A missing field of the
 * definition has the same default as for a new job. Fields that an edit cannot change may be
 * missing. If present, fields that identify the job or its client must be equal to the current
 * ones; fields that report its state are ignored.
 *
 * @param schedule when it fires
 * @param traceParent the trace that the job is part of, in the format of W3C Trace Context; null
 *     for the trace of the request's header, if there is one
 * @param traceState vendor data of that trace
 * @param nodeGroup must equal the group in the path
 * @param taskId must equal the task id in the path
 * @param id of the job that the edit was made from
 * @param version that the edit was made from: rejected if it is not current. If-Match takes
 *     precedence over id and version
 * @param feedback must equal the current value, which belongs to the submitting client
 * @param clientGroup must equal the current value
 */
public record ReplacementJob(
    JobSchedule schedule,
    @Nullable Map<String, String> params,
    @Nullable Integer priority,
    @Nullable String handler,
    @Nullable RetryRule retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfireRule misfire,
    @Nullable Boolean relyOnPrevCycle,
    @Nullable String traceParent,
    @Nullable String traceState,
    @Nullable String nodeGroup,
    @Nullable String taskId,
    @Nullable Long id,
    @Nullable Integer version,
    @Nullable Boolean feedback,
    @Nullable String clientGroup,
    @Nullable JobCondition state,
    @Nullable String scheduleInWords,
    @Nullable String submissionId,
    @Nullable String submittedBy,
    @Nullable Instant acceptedAt,
    @Nullable Instant generatedUntil,
    @Nullable Instant generateAt,
    @Nullable Boolean exhausted,
    @Nullable JobPause pause,
    @Nullable Integer executing,
    @Nullable Integer running,
    @Nullable Integer queued,
    @Nullable Instant nextFireAt,
    @Nullable TriggerRow nextTrigger,
    @Nullable HistoryItem lastEnd)
    implements JobForm {

  /** Throws a problem if the edit changes a field that an edit cannot change. */
  void check(JobDetail before) {
    requireEqual("nodeGroup", nodeGroup, before.nodeGroup());
    requireEqual("taskId", taskId, before.taskId());
    requireEqual("feedback", feedback, before.feedback());
    requireEqual("clientGroup", clientGroup, before.clientGroup());
  }

  private static void requireEqual(String name, @Nullable Object said, Object is) {
    if (said != null && !Objects.equals(said, is)) {
      throw Kind.REJECTED.because(
          name + " is '" + is + "', and an edit cannot change it to '" + said + "'; leave it out");
    }
  }
}
