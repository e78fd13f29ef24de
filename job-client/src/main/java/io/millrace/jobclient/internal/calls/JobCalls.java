package io.millrace.jobclient.internal.calls;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.Explanation;
import io.millrace.api.JobFilter;
import io.millrace.api.JobHandle;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.api.RunNowResult;
import io.millrace.api.TerminateResult;
import io.millrace.api.TrackerHealth;
import io.millrace.api.TriggerResult;
import io.millrace.internal.model.ParamsLimit;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.protocol.HealthRequest;
import io.millrace.internal.protocol.ListRequest;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.protocol.StatusRequest;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.SubmissionIds;
import io.millrace.jobclient.internal.submit.OutboxSaver;
import io.millrace.jobclient.internal.submit.Sendable;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends the calls other than submits. Rejects arguments that no request can carry, in the same form
 * as the tracker. Thread-safe.
 */
public final class JobCalls {
  private final RetryingCalls calls;
  private final OutcomeCalls outcomes;
  private final SubmissionIds ids;
  private final Declarations declarations;
  private final Function<Throwable, RuntimeException> failures;
  private final Executor listeners;
  private final @Nullable JobOutbox outbox;
  private final @Nullable OrderedCancels cancels;

  /**
   * Creates the calls of one client.
   *
   * @param failures converts a failure of this package to an exception of the public API
   * @param listeners runs code of the application
   * @param outbox the outbox; a job with a request in it cannot be paused, resumed or run now; null
   *     if there is none
   * @param saver orders cancels behind submits, and saves them; null without an outbox
   */
  public JobCalls(
      RetryingCalls calls,
      OutcomeCalls outcomes,
      SubmissionIds ids,
      Function<Throwable, RuntimeException> failures,
      Executor listeners,
      @Nullable JobOutbox outbox,
      @Nullable OutboxSaver saver) {
    this.calls = calls;
    this.outcomes = outcomes;
    this.ids = ids;
    this.declarations = new Declarations(calls, ids);
    this.failures = failures;
    this.listeners = listeners;
    this.outbox = outbox;
    this.cancels = saver == null ? null : new OrderedCancels(saver, calls);
  }

  public PendingCall<CancelResult> cancel(String nodeGroup, String taskId) {
    JobKey key = key(nodeGroup, taskId);
    String what = "cancel of " + key;
    return pending(
        what,
        cancels == null
            ? calls.ask(what, new CancelRequest(nodeGroup, taskId))
            : cancels.cancel(key));
  }

  public PendingCall<ChangeResult> pause(String nodeGroup, String taskId, @Nullable String reason) {
    String what = "pause of " + key(nodeGroup, taskId);
    String fault = reason == null ? null : Sendable.faultOfReason(reason);
    return fault == null
        ? change(what, nodeGroup, taskId, new PauseRequest(nodeGroup, taskId, reason))
        : answered(what, new ChangeResult(ChangeStatus.REFUSED, 0, fault));
  }

  public PendingCall<ChangeResult> resume(String nodeGroup, String taskId) {
    String what = "resume of " + key(nodeGroup, taskId);
    return change(what, nodeGroup, taskId, new ResumeRequest(nodeGroup, taskId));
  }

  /** Runs a job once more. One call has one submission id, however often the request is sent. */
  public PendingCall<RunNowResult> runNow(
      String nodeGroup, String taskId, @Nullable Map<String, String> params) {
    String what = "run now of " + key(nodeGroup, taskId);
    Map<String, String> own = params == null ? null : Sendable.requireNoNull(params);
    String fault = own == null ? null : ParamsLimit.faultOf(own);
    if (fault != null) {
      return answered(what, new RunNowResult(ChangeStatus.REFUSED, null, 0, fault));
    }
    JobHandle handle = new JobHandle(nodeGroup, taskId, ids.next());
    RunNowRequest request = new RunNowRequest(handle.submissionId(), nodeGroup, taskId, own);
    return change(what, nodeGroup, taskId, request)
        .map(result -> result.isAccepted() ? result.withHandle(handle) : result);
  }

  public PendingCall<TerminateResult> terminate(
      String nodeGroup, String taskId, @Nullable Long executionId) {
    String what = "terminate of " + key(nodeGroup, taskId);
    return ask(what, new TerminateRequest(nodeGroup, taskId, executionId));
  }

  public PendingCall<Explanation> explain(String nodeGroup, String taskId) {
    String what = "explain of " + key(nodeGroup, taskId);
    return ask(what, new ExplainRequest(nodeGroup, taskId));
  }

  /** Asks for the status of the job that lives under a key. */
  public PendingCall<JobStatus> status(String nodeGroup, String taskId) {
    String what = "status of " + key(nodeGroup, taskId);
    return ask(what, new StatusRequest(nodeGroup, taskId, null));
  }

  /** Asks for the status of one submit. */
  public PendingCall<JobStatus> status(JobHandle handle) {
    return ask(
        "status of " + handle,
        new StatusRequest(handle.nodeGroup(), handle.taskId(), handle.submissionId()));
  }

  public PendingCall<JobPage> list(JobFilter filter) {
    return ask("list of " + filter.nodeGroup(), new ListRequest(filter));
  }

  /** Waits for the end of one submit. */
  public PendingCall<TriggerResult> await(JobHandle handle, Duration patience) {
    return pending("await of " + handle, outcomes.await(handle, patience));
  }

  public PendingCall<TrackerHealth> health(Duration patience) {
    String what = "the tracker's health";
    return pending(what, calls.ask(what, new HealthRequest(), patience));
  }

  public PendingCall<DeclareResult> declare(Declaration declaration) {
    String what = "declaration of owner '" + declaration.owner() + "'";
    return pending(what, declarations.declare(declaration));
  }

  private static JobKey key(String nodeGroup, String taskId) {
    return new JobKey(
        Objects.requireNonNull(nodeGroup, "nodeGroup"), Objects.requireNonNull(taskId, "taskId"));
  }

  /**
   * Fails while the outbox holds requests of the job: the answer would not describe the job as it
   * is after their delivery.
   */
  private <R> PendingCall<R> change(
      String what, String nodeGroup, String taskId, Request<R> request) {
    if (outbox != null && outbox.holds(new JobKey(nodeGroup, taskId))) {
      String message =
          what
              + " was not sent: a submit or cancel of the job is still in the outbox; retry"
              + " when it has been delivered";
      return pending(
          what, CompletableFuture.failedFuture(new CallFailedException(message, false, null)));
    }
    return ask(what, request);
  }

  private <R> PendingCall<R> ask(String what, Request<R> request) {
    return pending(what, calls.ask(what, request));
  }

  private <R> PendingCall<R> answered(String what, R answer) {
    return pending(what, CompletableFuture.completedFuture(answer));
  }

  private <R> PendingCall<R> pending(String what, CompletableFuture<R> answer) {
    return new PendingCall<>(what, answer, failures, listeners);
  }
}
