package io.millrace.tasktracker.internal.report;

import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.tasktracker.internal.delivery.BatchSender;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues results and sends each until the tracker has answered for it, in the order of the reports;
 * results of an earlier process come first. A result that the tracker cannot store now is sent
 * again later and does not delay others. The {@code pull} package bounds the number of waiting
 * results: it pulls no work while too many results are unacknowledged.
 *
 * <p>Confined to the loop, except {@link #close}.
 */
public final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

  /** The bound of characters of text in one request, far below the maximum size of a frame. */
  private static final int MAX_BATCH_CHARS = 256 * 1024;

  private final ResultBytes listener;
  private final Duration retryDelay;
  private final TimedExecutor loop;
  private final Deque<ExecutionResult> waiting = new ArrayDeque<>();
  private final List<ExecutionResult> postponed = new ArrayList<>();
  private final BatchSender<ExecutionResult, CompleteReply> delivery;
  private final @Nullable SavedResults saved;

  /** Completed while every result is answered. */
  private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

  /**
   * Creates a reporter without results.
   *
   * @param tracker sends results; its future fails if there is no answer in time
   * @param store keeps unacknowledged results; null to keep them in memory only
   * @param retryDelay pause before results without an answer are sent again
   * @param loop runs tasks one at a time, in order
   */
  public Reporter(
      Function<CompleteRequest, CompletableFuture<CompleteReply>> tracker,
      ReportListener listener,
      @Nullable ResultStore store,
      Duration retryDelay,
      TimedExecutor loop) {
    this.listener = new ResultBytes(listener);
    this.retryDelay = retryDelay;
    this.loop = loop;
    this.delivery =
        new BatchSender<>("report: results", CompleteRequest::new, tracker, retryDelay, loop);
    this.saved =
        store == null
            ? null
            : new SavedResults(store, this.listener, this::giveUp, retryDelay, loop);
  }

  /**
   * Loads the results that an earlier process of this worker has left in the outbox. Called once,
   * before any other method; reads the disk.
   *
   * @return the execution ids of these results
   */
  public List<Long> restore() {
    if (saved == null) {
      return List.of();
    }
    List<ExecutionResult> restored = saved.restore();
    waiting.addAll(restored);
    restored.forEach(listener::reported);
    send();
    return restored.stream().map(ExecutionResult::executionId).toList();
  }

  /** Reports a result as soon as possible. */
  public void report(ExecutionResult result) {
    waiting.add(result);
    listener.reported(result);
    if (saved != null) {
      saved.reported(result);
    }
    send();
  }

  public void connected() {
    if (saved != null) {
      saved.connected();
    }
    delivery.connected();
    send();
  }

  public void disconnected() {
    delivery.disconnected();
    if (saved != null) {
      saved.disconnected();
    }
  }

  /** Sends what has gathered, unless a batch has no answer yet: then it forms the next batch. */
  private void send() {
    if (delivery.isBusy()) {
      return;
    }
    List<ExecutionResult> batch = nextBatch();
    if (!batch.isEmpty()) {
      if (idle.isDone()) {
        idle = new CompletableFuture<>();
      }
      var unused = delivery.send(batch).thenAccept(this::sent);
    } else if (postponed.isEmpty()) {
      idle.complete(null);
    }
  }

  private List<ExecutionResult> nextBatch() {
    List<ExecutionResult> batch = new ArrayList<>();
    int chars = 0;
    while (!waiting.isEmpty()
        && batch.size() < CompleteRequest.MAX_RESULTS
        && chars < MAX_BATCH_CHARS) {
      ExecutionResult result = waiting.remove();
      chars += result.textChars();
      batch.add(result);
    }
    return batch;
  }

  private void sent(BatchSender.Sent<ExecutionResult, CompleteReply> sent) {
    putBack(sent.left());
    try {
      apply(sent);
    } catch (RuntimeException | Error e) {
      // A listener failed. The results are sent again with the next one, and answered again.
      putBack(sent.items());
      throw e;
    }
    send();
  }

  private void apply(BatchSender.Sent<ExecutionResult, CompleteReply> sent) {
    CompleteReply reply = sent.answer();
    if (reply != null) {
      answered(sent.items(), reply.answers());
      return;
    }
    long executionId = sent.items().get(0).executionId();
    LOG.error(
        "report: the tracker rejected the result of execution {}", executionId, sent.rejection());
    release(executionId);
  }

  private void answered(List<ExecutionResult> results, List<CompletionStatus> answers) {
    int answered = Math.min(answers.size(), results.size());
    List<Long> refused = new ArrayList<>();
    for (int i = 0; i < answered; i++) {
      long executionId = results.get(i).executionId();
      switch (answers.get(i)) {
        case ACCEPTED -> release(executionId);
        case REFUSED -> {
          refused.add(executionId);
          release(executionId);
        }
        case TRY_AGAIN, UNKNOWN -> postpone(results.get(i));
      }
    }
    if (!refused.isEmpty()) {
      LOG.warn(
          "report: the tracker ignored results that arrived too late, of executions {}", refused);
    }
    putBack(results.subList(answered, results.size()));
    if (answered == 0) {
      delivery.pause();
    }
  }

  /** Puts results back to the front, in their order. */
  private void putBack(List<ExecutionResult> results) {
    for (int i = results.size() - 1; i >= 0; i--) {
      waiting.addFirst(results.get(i));
    }
  }

  /** Returns a future that completes when every result is answered. */
  public CompletableFuture<Void> whenIdle() {
    return idle;
  }

  /** Returns the number of results without an answer. */
  public int unanswered() {
    return waiting.size() + postponed.size() + delivery.unanswered();
  }

  private void postpone(ExecutionResult result) {
    if (postponed.isEmpty()) {
      Timer.Timeout unused = loop.schedule(retryDelay, this::sendPostponed);
    }
    postponed.add(result);
  }

  private void sendPostponed() {
    waiting.addAll(postponed);
    postponed.clear();
    send();
  }

  /** Returns how many of the unanswered results are in the outbox. */
  public int saved() {
    return saved == null ? 0 : saved.saved();
  }

  /**
   * Saves the unanswered results in the outbox, if there is one. The future completes when the
   * outbox has finished writing.
   */
  public CompletableFuture<Void> saveAll() {
    return saved == null ? CompletableFuture.completedFuture(null) : saved.saveAll();
  }

  /** Closes the outbox, if there is one. Called once, on the executor of the disk. */
  public void close() {
    if (saved != null) {
      saved.close();
    }
  }

  private void giveUp(List<Long> executionIds) {
    Set<Long> over = new HashSet<>(executionIds);
    putBack(delivery.takeBack());
    postponed.removeIf(result -> over.contains(result.executionId()));
    waiting.removeIf(result -> over.contains(result.executionId()));
    send();
    executionIds.forEach(listener::released);
  }

  private void release(long executionId) {
    if (saved != null) {
      saved.answered(executionId);
    }
    listener.released(executionId);
  }
}
