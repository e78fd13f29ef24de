package io.millrace.jobclient;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.ChangeStatus;
import io.millrace.common.model.Explanation;
import io.millrace.common.model.RunNowResult;
import io.millrace.common.model.TerminateResult;
import io.millrace.common.model.TrackerHealth;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.ExplainRequest;
import io.millrace.common.protocol.HealthRequest;
import io.millrace.common.protocol.PauseRequest;
import io.millrace.common.protocol.Request;
import io.millrace.common.protocol.ResumeRequest;
import io.millrace.common.protocol.RunNowRequest;
import io.millrace.common.protocol.TerminateRequest;
import io.millrace.jobclient.submit.JobKey;
import io.millrace.jobclient.submit.Keeper;
import io.millrace.jobclient.submit.OrderedCancels;
import io.millrace.jobclient.submit.RetryingCalls;
import io.millrace.jobclient.submit.Sendable;
import io.millrace.jobclient.submit.SubmissionIds;
import io.millrace.jobclient.submit.SubmitPipeline;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks for something that concerns one job, and waits for the answer. What no request can carry is
 * refused here, in the tracker's form. Thread-safe.
 */
final class JobCalls {
  private final RetryingCalls calls;
  private final SubmissionIds ids;
  private final @Nullable Keeper keeper;
  private final @Nullable OrderedCancels cancels;

  /**
   * Asks with these calls.
   *
   * @param keeper the outbox, or null if there is none
   */
  JobCalls(
      SubmitPipeline pipeline, RetryingCalls calls, SubmissionIds ids, @Nullable Keeper keeper) {
    this.calls = calls;
    this.ids = ids;
    this.keeper = keeper;
    this.cancels = keeper == null ? null : new OrderedCancels(pipeline, calls, keeper);
  }

  CancelResult cancel(String nodeGroup, String taskId) {
    return await(cancelOf(nodeGroup, taskId), cancelAsync(nodeGroup, taskId));
  }

  CompletableFuture<CancelResult> cancelAsync(String nodeGroup, String taskId) {
    String what = cancelOf(nodeGroup, taskId);
    return cancels == null
        ? calls.ask(what, new CancelRequest(nodeGroup, taskId))
        : cancels.cancel(nodeGroup, taskId);
  }

  private static String cancelOf(String nodeGroup, String taskId) {
    return "cancel of " + key(nodeGroup, taskId);
  }

  ChangeResult pause(String nodeGroup, String taskId, @Nullable String reason) {
    String what = "pause of " + key(nodeGroup, taskId);
    String fault = reason == null ? null : Sendable.faultOfReason(reason);
    return fault == null
        ? change(what, nodeGroup, taskId, new PauseRequest(nodeGroup, taskId, reason))
        : new ChangeResult(ChangeStatus.REFUSED, 0, fault);
  }

  ChangeResult resume(String nodeGroup, String taskId) {
    String what = "resume of " + key(nodeGroup, taskId);
    return change(what, nodeGroup, taskId, new ResumeRequest(nodeGroup, taskId));
  }

  /** One call is one submission, however often it is sent. */
  RunNowResult runNow(String nodeGroup, String taskId, @Nullable Map<String, String> params) {
    String what = "run now of " + key(nodeGroup, taskId);
    Map<String, String> own = params == null ? null : Sendable.requireNoNull(params);
    String fault = own == null ? null : Sendable.faultOfParams(own);
    return fault == null
        ? change(what, nodeGroup, taskId, new RunNowRequest(ids.next(), nodeGroup, taskId, own))
        : new RunNowResult(ChangeStatus.REFUSED, null, 0, fault);
  }

  TerminateResult terminate(String nodeGroup, String taskId, @Nullable Long executionId) {
    String what = "terminate of " + key(nodeGroup, taskId);
    return answer(what, new TerminateRequest(nodeGroup, taskId, executionId));
  }

  Explanation explain(String nodeGroup, String taskId) {
    String what = "explain of " + key(nodeGroup, taskId);
    return answer(what, new ExplainRequest(nodeGroup, taskId));
  }

  TrackerHealth health() {
    return answer("the tracker's health", new HealthRequest());
  }

  private static String key(String nodeGroup, String taskId) {
    return Objects.requireNonNull(nodeGroup, "nodeGroup")
        + "/"
        + Objects.requireNonNull(taskId, "taskId");
  }

  /** The answer would not be about the job as it will be when what is saved is delivered. */
  private <R> R change(String what, String nodeGroup, String taskId, Request<R> request) {
    if (keeper != null && keeper.holds(new JobKey(nodeGroup, taskId))) {
      String message =
          what
              + " was not sent: a submit or cancel of the job is still in the outbox; ask again when"
              + " it is delivered";
      throw new JobCallException(message, false, null);
    }
    return answer(what, request);
  }

  private <R> R answer(String what, Request<R> request) {
    return await(what, calls.ask(what, request));
  }

  private static <R> R await(String what, CompletableFuture<R> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof JobCallException known
          ? known
          : new JobCallException(what + " failed: " + e.getCause(), true, e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(false);
      Thread.currentThread().interrupt();
      String message = what + ": the thread was interrupted while it waited for the answer";
      throw new JobCallException(message, true, e);
    }
  }
}
