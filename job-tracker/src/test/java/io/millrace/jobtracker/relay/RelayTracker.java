package io.millrace.jobtracker.relay;

import io.millrace.api.CancelResult;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A tracker that stores jobs in memory, knows submissions and epochs of relays again, and can fail.
 */
final class RelayTracker {
  private final List<String> log = new ArrayList<>();
  private final Map<String, SubmitResult> known = new HashMap<>();
  private final Map<String, String> living = new HashMap<>();
  private final Map<String, Long> epochs = new HashMap<>();
  private final List<Integer> requests = new ArrayList<>();
  private Function<Job, SubmitResult> verdict = job -> null;
  private boolean away;
  private int answersToLose;
  private int requestsToLose;

  /**
   * What was carried out, in order: task ids that were stored, and cancelled ones behind a minus.
   */
  synchronized List<String> log() {
    return List.copyOf(log);
  }

  /** How many jobs each submit had. */
  synchronized List<Integer> requests() {
    return List.copyOf(requests);
  }

  /** The submission id of the job that lives under a task id, or null. */
  synchronized String living(String taskId) {
    return living.get(taskId);
  }

  /** Jobs for which this does not give null are answered so and not stored. */
  synchronized void verdict(Function<Job, SubmitResult> newVerdict) {
    verdict = newVerdict;
  }

  /** Whether no connection can be had. */
  synchronized void away(boolean isAway) {
    away = isAway;
  }

  /** The next requests are carried out, and their answers are lost. */
  synchronized void loseAnswers(int count) {
    answersToLose = count;
  }

  /** The next requests are lost. */
  synchronized void loseRequests(int count) {
    requestsToLose = count;
  }

  /** Ends the job of a task id. */
  synchronized void end(String taskId) {
    living.remove(taskId);
  }

  /** A connection to it. */
  TrackerLink link() {
    return link(request -> {});
  }

  /** A connection whose requests this sees before the tracker does. */
  TrackerLink link(java.util.function.Consumer<Request<?>> onTheWay) {
    Session session = session(onTheWay);
    return new TrackerLink() {
      @Override
      public Session session() {
        synchronized (RelayTracker.this) {
          return away ? null : session;
        }
      }

      @Override
      public RpcException refusal() {
        return null;
      }

      @Override
      public String describe() {
        return "a tracker in memory";
      }
    };
  }

  private Session session(java.util.function.Consumer<Request<?>> onTheWay) {
    return new Session() {
      @Override
      public Peer peer() {
        return new Peer(NodeRole.TRACKER, "tracker-1", "", "127.0.0.1:35001");
      }

      @Override
      public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
        onTheWay.accept(request);
        return answer(request);
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void onClose(Runnable task) {}

      @Override
      public void close() {}
    };
  }

  @SuppressWarnings("unchecked") // each request gets its own reply
  private synchronized <R> CompletableFuture<R> answer(Request<R> request) {
    if (requestsToLose > 0) {
      requestsToLose--;
      return lost();
    }
    Object reply;
    try {
      reply =
          request instanceof SubmitRequest submit
              ? submit(submit)
              : cancel((CancelRequest) request);
    } catch (RpcException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    if (answersToLose > 0) {
      answersToLose--;
      return lost();
    }
    return (CompletableFuture<R>) CompletableFuture.completedFuture(reply);
  }

  private static <R> CompletableFuture<R> lost() {
    return CompletableFuture.failedFuture(
        new RpcException(ErrorCode.UNAVAILABLE, "no answer, as planned"));
  }

  private SubmitReply submit(SubmitRequest request) {
    requests.add(request.submissions().size());
    return new SubmitReply(request.submissions().stream().map(this::submit).toList());
  }

  private SubmitResult submit(JobSubmission submission) {
    if (isOutdated(submission.relay())) {
      return SubmitResult.rejected(
          submission.job().taskId(), RejectReason.OUTDATED, "a later one was answered");
    }
    SubmitResult answered = known.get(submission.submissionId());
    SubmitResult judged = answered == null ? verdict.apply(submission.job()) : answered;
    if (judged != null) {
      return judged;
    }
    String taskId = submission.job().taskId();
    if (living.containsKey(taskId)) {
      return SubmitResult.duplicate(taskId, "it lives");
    }
    living.put(taskId, submission.submissionId());
    known.put(submission.submissionId(), SubmitResult.accepted(taskId));
    log.add(taskId);
    return SubmitResult.accepted(taskId);
  }

  private boolean isOutdated(RelayEpoch sent) {
    return sent.epoch() < epochs.merge(sent.relay(), sent.epoch(), Math::max);
  }

  private CancelResult cancel(CancelRequest request) {
    if (isOutdated(request.relay())) {
      throw new RpcException(ErrorCode.OUTDATED, "a later one was answered");
    }
    log.add("-" + request.taskId());
    boolean found = living.remove(request.taskId()) != null;
    return new CancelResult(found, found ? 1 : 0, 0);
  }
}
