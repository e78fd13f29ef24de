package io.millrace.jobclient.internal.calls;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.Explanation;
import io.millrace.api.RunNowResult;
import io.millrace.api.TerminateResult;
import io.millrace.api.TrackerHealth;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.model.ParamsLimit;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.protocol.HealthRequest;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.request.FailureFactory;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.SubmissionIds;
import io.millrace.jobclient.internal.submit.OutboxSaver;
import io.millrace.jobclient.internal.submit.Sendable;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls that concern one job, and waits for the answers. Rejects arguments that no request
 * can carry, in the same form as the tracker. Thread-safe.
 */
public final class JobCalls {
  private final RetryingCalls calls;
  private final SubmissionIds ids;
  private final Declarations declarations;
  private final FailureFactory failures;
  private final @Nullable JobOutbox outbox;
  private final @Nullable OrderedCancels cancels;

  /**
   * Creates the calls of one client.
   *
   * @param failures creates the exception for a call without an answer
   * @param outbox the outbox; a job with a request in it cannot be paused, resumed or run now; null
   *     if there is none
   * @param saver orders cancels behind submits, and saves them; null without an outbox
   */
  public JobCalls(
      RetryingCalls calls,
      SubmissionIds ids,
      FailureFactory failures,
      @Nullable JobOutbox outbox,
      @Nullable OutboxSaver saver) {
    this.calls = calls;
    this.ids = ids;
    this.declarations = new Declarations(calls, ids);
    this.failures = failures;
    this.outbox = outbox;
    this.cancels = saver == null ? null : new OrderedCancels(saver, calls);
  }

  public CancelResult cancel(String nodeGroup, String taskId) {
    return await("cancel of " + key(nodeGroup, taskId), cancelAsync(nodeGroup, taskId));
  }

  /** Cancels without waiting for the answer. */
  public CompletableFuture<CancelResult> cancelAsync(String nodeGroup, String taskId) {
    JobKey key = key(nodeGroup, taskId);
    return cancels == null
        ? calls.ask("cancel of " + key, new CancelRequest(nodeGroup, taskId))
        : cancels.cancel(key);
  }

  public ChangeResult pause(String nodeGroup, String taskId, @Nullable String reason) {
    String what = "pause of " + key(nodeGroup, taskId);
    String fault = reason == null ? null : Sendable.faultOfReason(reason);
    return fault == null
        ? change(what, nodeGroup, taskId, new PauseRequest(nodeGroup, taskId, reason))
        : new ChangeResult(ChangeStatus.REFUSED, 0, fault);
  }

  public ChangeResult resume(String nodeGroup, String taskId) {
    String what = "resume of " + key(nodeGroup, taskId);
    return change(what, nodeGroup, taskId, new ResumeRequest(nodeGroup, taskId));
  }

  /** Runs a job once more. One call has one submission id, however often the request is sent. */
  public RunNowResult runNow(
      String nodeGroup, String taskId, @Nullable Map<String, String> params) {
    String what = "run now of " + key(nodeGroup, taskId);
    Map<String, String> own = params == null ? null : Sendable.requireNoNull(params);
    String fault = own == null ? null : ParamsLimit.faultOf(own);
    return fault == null
        ? change(what, nodeGroup, taskId, new RunNowRequest(ids.next(), nodeGroup, taskId, own))
        : new RunNowResult(ChangeStatus.REFUSED, null, 0, fault);
  }

  public TerminateResult terminate(String nodeGroup, String taskId, @Nullable Long executionId) {
    String what = "terminate of " + key(nodeGroup, taskId);
    return answer(what, new TerminateRequest(nodeGroup, taskId, executionId));
  }

  public Explanation explain(String nodeGroup, String taskId) {
    String what = "explain of " + key(nodeGroup, taskId);
    return answer(what, new ExplainRequest(nodeGroup, taskId));
  }

  public DeclareResult declare(Declaration declaration) {
    return await(nameOf(declaration), declarations.declare(declaration));
  }

  /** Declares without waiting for the answers; fails with the exception of the public API. */
  public CompletableFuture<DeclareResult> declareAsync(Declaration declaration) {
    return declarations
        .declare(declaration)
        .exceptionallyCompose(
            e ->
                CompletableFuture.failedFuture(
                    failed(nameOf(declaration), Completions.causeOf(e))));
  }

  private static String nameOf(Declaration declaration) {
    return "declaration of owner '" + declaration.owner() + "'";
  }

  public TrackerHealth health() {
    return answer("the tracker's health", new HealthRequest());
  }

  private static JobKey key(String nodeGroup, String taskId) {
    return new JobKey(
        Objects.requireNonNull(nodeGroup, "nodeGroup"), Objects.requireNonNull(taskId, "taskId"));
  }

  /**
   * Fails while the outbox holds requests of the job: the answer would not describe the job as it
   * is after their delivery.
   */
  private <R> R change(String what, String nodeGroup, String taskId, Request<R> request) {
    if (outbox != null && outbox.holds(new JobKey(nodeGroup, taskId))) {
      String message =
          what
              + " was not sent: a submit or cancel of the job is still in the outbox; retry"
              + " when it has been delivered";
      throw failures.create(message, false, null);
    }
    return answer(what, request);
  }

  private <R> R answer(String what, Request<R> request) {
    return await(what, calls.ask(what, request));
  }

  private <R> R await(String what, CompletableFuture<R> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw failed(what, e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(false);
      Thread.currentThread().interrupt();
      String message = what + ": the thread was interrupted while it waited for the answer";
      throw failures.create(message, true, e);
    }
  }

  private RuntimeException failed(String what, @Nullable Throwable cause) {
    return cause instanceof CallFailedException known
        ? failures.create(
            String.valueOf(known.getMessage()), known.isOutcomeUnknown(), known.getCause())
        : failures.create(what + " failed: " + cause, true, cause);
  }
}
