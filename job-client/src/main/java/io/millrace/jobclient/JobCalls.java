package io.millrace.jobclient;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.ChangeStatus;
import io.millrace.common.model.Explanation;
import io.millrace.common.model.RunNowResult;
import io.millrace.common.model.TerminateResult;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.ExplainRequest;
import io.millrace.common.protocol.PauseRequest;
import io.millrace.common.protocol.Request;
import io.millrace.common.protocol.ResumeRequest;
import io.millrace.common.protocol.RunNowRequest;
import io.millrace.common.protocol.TerminateRequest;
import io.millrace.jobclient.submit.RetryingCalls;
import io.millrace.jobclient.submit.Sendable;
import io.millrace.jobclient.submit.SubmissionIds;
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

  JobCalls(RetryingCalls calls, SubmissionIds ids) {
    this.calls = calls;
    this.ids = ids;
  }

  CancelResult cancel(String nodeGroup, String taskId) {
    String what = "cancel of " + key(nodeGroup, taskId);
    return answer(what, new CancelRequest(nodeGroup, taskId));
  }

  ChangeResult pause(String nodeGroup, String taskId, @Nullable String reason) {
    String what = "pause of " + key(nodeGroup, taskId);
    String fault = reason == null ? null : Sendable.faultOfReason(reason);
    return fault == null
        ? answer(what, new PauseRequest(nodeGroup, taskId, reason))
        : new ChangeResult(ChangeStatus.REFUSED, 0, fault);
  }

  ChangeResult resume(String nodeGroup, String taskId) {
    String what = "resume of " + key(nodeGroup, taskId);
    return answer(what, new ResumeRequest(nodeGroup, taskId));
  }

  /** One call is one submission, however often it is sent. */
  RunNowResult runNow(String nodeGroup, String taskId, @Nullable Map<String, String> params) {
    String what = "run now of " + key(nodeGroup, taskId);
    Map<String, String> own = params == null ? null : Sendable.requireNoNull(params);
    String fault = own == null ? null : Sendable.faultOfParams(own);
    return fault == null
        ? answer(what, new RunNowRequest(ids.next(), nodeGroup, taskId, own))
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

  private static String key(String nodeGroup, String taskId) {
    return Objects.requireNonNull(nodeGroup, "nodeGroup")
        + "/"
        + Objects.requireNonNull(taskId, "taskId");
  }

  private <R> R answer(String what, Request<R> request) {
    CompletableFuture<R> answer = calls.ask(what, request);
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
