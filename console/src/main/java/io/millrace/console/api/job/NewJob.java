package io.millrace.console.api.job;

import io.millrace.api.Job;
import io.millrace.api.TraceContext;
import io.millrace.internal.codec.Flattened;
import org.jspecify.annotations.Nullable;

/**
 * A job to submit. Its ends are not notified, because feedback is for programs.
 *
 * @param schedule when it fires; null means once, now
 * @param submissionId identifies a resend of the same request; null if there will be none
 */
public record NewJob(
    String nodeGroup,
    String taskId,
    @Nullable JobSchedule schedule,
    @Flattened JobForm form,
    @Nullable Boolean replaceExisting,
    @Nullable String submissionId) {

  /**
   * Builds the job; throws a problem if its fields contradict one another.
   *
   * @param asked the trace of the request, used if the job names none; null if none
   */
  public Job toJob(@Nullable TraceContext asked) {
    boolean replace = replaceExisting != null && replaceExisting;
    return form.build(Job.builder(nodeGroup, taskId).replaceExisting(replace), schedule, asked);
  }
}
