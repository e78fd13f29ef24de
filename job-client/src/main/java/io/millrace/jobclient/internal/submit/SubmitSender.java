package io.millrace.jobclient.internal.submit;

import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobclient.internal.request.Backoff;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.RpcFailures;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends open jobs in batches until they are answered. Jobs that gather while a request is under way
 * are sent with the next one; a large batch does not wait for the request under way. Thread-safe.
 */
final class SubmitSender {
  private final RequestContext context;
  private final OpenSubmissions open;
  private final SubmitNotifier notifier;
  private final Backoff backoff;

  SubmitSender(RequestContext context, OpenSubmissions open, SubmitNotifier notifier) {
    this.context = context;
    this.open = open;
    this.notifier = notifier;
    this.backoff = new Backoff(context.random());
  }

  /** Sends the ready jobs if a tracker is connected and a request may begin. */
  void sendReady() {
    while (true) {
      Session session = context.link().session();
      if (session == null) {
        return;
      }
      List<PendingSubmission> batch = open.takeBatch();
      if (batch.isEmpty()) {
        return;
      }
      send(session, batch);
    }
  }

  private void send(Session session, List<PendingSubmission> batch) {
    SubmitRequest request = requestOf(batch);
    CompletableFuture.completedFuture(session)
        .thenCompose(live -> live.call(request, context.timeouts().attempt()))
        .thenApply(reply -> resultsOf(reply, batch, session))
        .whenComplete(
            (results, failure) ->
                follow(
                    failure == null
                        ? open.answered(batch, results)
                        : open.notAnswered(batch, RpcFailures.of(failure))));
  }

  private SubmitRequest requestOf(List<PendingSubmission> batch) {
    List<JobSubmission> submissions = batch.stream().map(pending -> pending.submission).toList();
    boolean isTimed = submissions.stream().anyMatch(each -> each.submittedAt() != null);
    return new SubmitRequest(submissions, isTimed ? context.clock().now() : null);
  }

  private static List<SubmitResult> resultsOf(
      SubmitReply reply, List<PendingSubmission> batch, Session session) {
    if (reply.results().size() != batch.size()) {
      String message =
          "the tracker at %s returned %d results for %d jobs"
              .formatted(session.peer().address(), reply.results().size(), batch.size());
      throw new RpcException(ErrorCode.INTERNAL, message);
    }
    return reply.results();
  }

  private void follow(OpenSubmissions.Aftermath aftermath) {
    if (aftermath.failuresInARow > 0) {
      later(aftermath.failuresInARow, this::resume);
    }
    if (!aftermath.putOff.isEmpty()) {
      later(aftermath.timesPutOff(), () -> sendAgain(aftermath.putOff));
    }
    notifier.notify(aftermath.settled);
    sendReady();
  }

  private void later(int failures, Runnable task) {
    context.time().schedule(backoff.delay(failures), task);
  }

  /** Ends the pause after a failed request, and sends the waiting jobs. */
  void resume() {
    open.resume();
    sendReady();
  }

  /**
   * Puts the jobs back and sends them. Only these jobs were put off: the tracker may have been able
   * to store others.
   */
  private void sendAgain(List<PendingSubmission> putOff) {
    open.putBack(putOff);
    sendReady();
  }
}
