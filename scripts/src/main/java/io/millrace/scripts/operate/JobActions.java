package io.millrace.scripts.operate;

import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobStatus;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionDetail;
import io.millrace.console.api.history.ExecutionRoutes.Terminated;
import io.millrace.console.api.history.ExecutionSummary;
import io.millrace.console.api.job.JobChangeRoutes.CancelledJob;
import io.millrace.console.api.job.JobChangeRoutes.ChangedJob;
import io.millrace.console.api.job.JobChangeRoutes.ExtraRun;
import io.millrace.console.api.job.JobChangeRoutes.ExtraTrigger;
import io.millrace.console.api.job.JobChangeRoutes.PauseReason;
import io.millrace.console.api.job.JobChangeRoutes.StoredJob;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.api.ConflictException;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Cell;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The actions of an operator on a job, reported in the same words as those of an application. */
public final class JobActions {
  private final Operator operator;
  private final JobKey key;

  public JobActions(Operator operator, JobKey key) {
    this.operator = operator;
    this.key = key;
  }

  /**
   * Stores the job. An existing job with the same key is no failure, unless it was to be replaced.
   */
  public void submit(Job job) throws InterruptedException {
    try {
      show(
          operator.api().post(ApiPath.of("jobs"), NewJobs.of(job), StoredJob.class),
          (stored, out) -> out.println(stored.status() + " " + key));
    } catch (ConflictException e) {
      if (job.replaceExisting()) {
        throw e;
      }
      show(
          new Answer<>(e.text(), e),
          (refused, out) -> out.println("DUPLICATE " + key + ": " + line(refused.getMessage())));
    }
  }

  public void pause(@Nullable String reason) throws InterruptedException {
    change("PAUSED", operator.api().post(at("pause"), new PauseReason(reason), ChangedJob.class));
  }

  public void resume() throws InterruptedException {
    change("RESUMED", operator.api().post(at("resume"), null, ChangedJob.class));
  }

  private void change(String done, Answer<ChangedJob> answer) {
    show(
        answer,
        (changed, out) ->
            out.println(JobLines.changed(done, key, changed.status(), changed.message())));
  }

  /**
   * Runs the job once more.
   *
   * @param params replace the job's parameters; null keeps them
   */
  public void run(@Nullable Map<String, String> params) throws InterruptedException {
    show(
        operator.api().post(at("run"), new ExtraRun(params, null), ExtraTrigger.class),
        (extra, out) -> out.println(JobLines.extraRun(key, extra.ordinal(), extra.message())));
  }

  public void cancel() throws InterruptedException {
    show(
        operator.api().post(at("cancel"), null, CancelledJob.class),
        (cancelled, out) ->
            out.println(
                JobLines.cancelled(key, cancelled.cancelledTriggers(), cancelled.running())));
  }

  public void explain() throws InterruptedException {
    show(
        operator.api().get(at("explain"), Explanation.class),
        (explanation, out) ->
            explanation.facts().forEach(fact -> out.println(JobLines.fact(fact))));
  }

  /**
   * Shows the status of what lives under the key.
   *
   * @param submissionId only of this submit, or run now; null for none
   */
  public void status(@Nullable String submissionId) throws InterruptedException {
    Answer<JobStatus> answer =
        operator.api().get(at("status").with("submission", submissionId), JobStatus.class);
    show(answer, StatusDetails::print);
    StatusDetails.requireKnown(answer.value(), submissionId);
  }

  /**
   * Terminates running executions of the job.
   *
   * @param executionId only this execution; null for all of the job
   */
  public void terminate(@Nullable Long executionId) throws InterruptedException {
    ApiPath path = executionId == null ? at("terminate") : ofThisJob(executionId);
    Answer<Terminated> answer = operator.api().post(path, null, Terminated.class);
    if (answer.value().running() == 0) {
      throw new CommandFailedException("no execution of " + key + " is running");
    }
    show(answer, (terminated, out) -> out.println(JobLines.terminated(key, terminated.running())));
  }

  /**
   * Returns the path of an execution of this job. Ensures that a mistyped id does not terminate an
   * execution of another job.
   */
  private ApiPath ofThisJob(long executionId) throws InterruptedException {
    String id = String.valueOf(executionId);
    ExecutionSummary row =
        operator.api().get(ApiPath.of("executions", id), ExecutionDetail.class).value().underWay();
    if (row == null
        || !row.nodeGroup().equals(key.nodeGroup())
        || !row.taskId().equals(key.taskId())) {
      throw new CommandFailedException("no execution " + id + " of " + key + " is running");
    }
    return ApiPath.of("executions", id, "terminate");
  }

  private ApiPath at(String action) {
    return ApiPath.of("jobs", key.nodeGroup(), key.taskId(), action);
  }

  private <T> void show(Answer<T> answer, BiConsumer<T, PrintWriter> forPeople) {
    operator.output().show(answer, forPeople);
  }

  private static String line(@Nullable String text) {
    return text == null ? "" : Cell.line(text);
  }
}
