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
 * What takes the place of a job that lives: what {@link JobDetail} shows of it, changed. What is
 * left out of the definition is as it is for a new job. What an edit cannot change may be left out
 * too: what belongs to the job must be equal if it is there, and what only tells how it is doing
 * does not count.
 *
 * @param schedule when it fires
 * @param traceParent the trace that the job is part of, as W3C Trace Context writes it; null for
 *     that of the request's header, if it has one
 * @param traceState what vendors of tracers keep beside it
 * @param nodeGroup as in the path
 * @param taskId as in the path
 * @param id of the job that the edit was made from
 * @param version that the edit was made from: refused if it is not current. If-Match says the same
 *     and goes before it
 * @param feedback as it is; belongs to the client that submitted the job
 * @param clientGroup as it is
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

  /** Throws a problem if it says anything else of the job than an edit can change. */
  void check(JobDetail before) {
    requireEqual("nodeGroup", nodeGroup, before.nodeGroup());
    requireEqual("taskId", taskId, before.taskId());
    requireEqual("feedback", feedback, before.feedback());
    requireEqual("clientGroup", clientGroup, before.clientGroup());
  }

  private static void requireEqual(String name, @Nullable Object said, Object is) {
    if (said != null && !Objects.equals(said, is)) {
      throw Kind.REJECTED.because(
          name + " is '" + is + "', which an edit cannot make '" + said + "'; leave it out");
    }
  }
}
