package io.millrace.console.api.job;

import io.millrace.api.Job;
import io.millrace.api.TraceContext;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.TriggerSummary;
import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.codec.Flattened;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The edited form of a live job, in the shape of {@link JobDetail}. A missing field of the
 * definition has the same default as for a new job. Fields that an edit cannot change may be
 * missing. If present, fields that identify the job or its client must be equal to the current
 * ones; fields that report its state are ignored.
 *
 * @param schedule when it fires
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
    @Flattened JobForm form,
    @Nullable String nodeGroup,
    @Nullable String taskId,
    @Nullable Long id,
    @Nullable Integer version,
    @Nullable Boolean feedback,
    @Nullable String clientGroup,
    @Flattened Ignored ignored) {

  /** The fields of {@link JobDetail} that report the job's state. */
  public record Ignored(
      @Nullable JobCondition state,
      @Nullable String scheduleInWords,
      @Nullable String submissionId,
      @Nullable String submittedBy,
      @Nullable Instant acceptedAt,
      JobDetail.@Nullable Declared declared,
      @Nullable Instant generatedUntil,
      @Nullable Instant generateAt,
      @Nullable Boolean exhausted,
      @Nullable JobPause pause,
      @Nullable Integer executing,
      @Nullable Integer running,
      @Nullable Integer queued,
      @Nullable Instant nextFireAt,
      @Nullable TriggerSummary nextTrigger,
      @Nullable HistoryItem lastEnd,
      @Nullable List<String> labelsNobodyHas) {}

  /** Throws a problem if the edit changes a field that an edit cannot change. */
  void check(JobDetail before) {
    requireEqual("nodeGroup", nodeGroup, before.nodeGroup());
    requireEqual("taskId", taskId, before.taskId());
    requireEqual("feedback", feedback, before.origin().feedback());
    requireEqual("clientGroup", clientGroup, before.origin().clientGroup());
  }

  /**
   * Builds the job that takes the place of this one. Keeps its feedback, because an operator's edit
   * changes only the definition.
   *
   * @param asked the trace of the request, used if the job names none; null if none
   */
  Job toJob(JobDetail before, @Nullable TraceContext asked) {
    Job.Builder job =
        Job.builder(before.nodeGroup(), before.taskId())
            .replaceExisting(true)
            .feedback(before.origin().feedback());
    return form.build(job, schedule, asked);
  }

  private static void requireEqual(String name, @Nullable Object said, Object is) {
    if (said != null && !Objects.equals(said, is)) {
      throw Kind.REJECTED.because(
          name + " is '" + is + "', and an edit cannot change it to '" + said + "'; leave it out");
    }
  }
}
