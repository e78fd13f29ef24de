package io.millrace.tasktracker.report;

import io.millrace.common.protocol.CompleteReply;
import io.millrace.common.protocol.CompleteRequest;
import io.millrace.common.protocol.CompletionStatus;
import io.millrace.common.protocol.ExecutionResult;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import io.millrace.tasktracker.delivery.BatchSender;
import io.millrace.tasktracker.delivery.Outgoing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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

  private final TrackerCompletions tracker;
  private final ReportListener listener;
  private final Duration retryDelay;
  private final Executor loop;
  private final Timer timer;
  private final Deque<ExecutionResult> waiting = new ArrayDeque<>();
  private final List<ExecutionResult> postponed = new ArrayList<>();
  private CompletableFuture<Void> nothingPostponed = CompletableFuture.completedFuture(null);
  private final BatchSender<ExecutionResult, CompleteReply> delivery;
  private final @Nullable SavedResults saved;

  /**
   * Creates a reporter without results.
   *
   * @param store keeps unacknowledged results; null to keep them in memory only
   * @param retryDelay pause before results without an answer are sent again
   * @param loop runs tasks one at a time, in order
   */
  public Reporter(
      TrackerCompletions tracker,
      ReportListener listener,
      @Nullable ResultStore store,
      Duration retryDelay,
      Executor loop,
      Timer timer,
      Clock clock) {
    this.tracker = tracker;
    this.listener = listener;
    this.retryDelay = retryDelay;
    this.loop = loop;
    this.timer = timer;
    this.delivery = new BatchSender<>("report: results", new Results(), retryDelay, loop, timer);
    this.saved =
        store == null
            ? null
            : new SavedResults(store, listener, this::giveUp, retryDelay, loop, timer, clock);
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
    delivery.send();
    return restored.stream().map(ExecutionResult::executionId).toList();
  }

  /** Reports a result as soon as possible. */
  public void report(ExecutionResult result) {
    waiting.add(result);
    if (saved != null) {
      saved.reported(result);
    }
    delivery.send();
  }

  public void connected() {
    if (saved != null) {
      saved.connected();
    }
    delivery.connected();
  }

  public void disconnected() {
    delivery.disconnected();
    if (saved != null) {
      saved.disconnected();
    }
  }

  /** Returns a future that completes when every result is answered. */
  public CompletableFuture<Void> whenIdle() {
    return delivery
        .whenIdle()
        .thenCompose(
            unused ->
                postponed.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : nothingPostponed.thenCompose(sent -> whenIdle()));
  }

  /** Returns the number of results without an answer. */
  public int unanswered() {
    return waiting.size() + postponed.size() + delivery.unanswered();
  }

  private void postpone(ExecutionResult result) {
    if (postponed.isEmpty()) {
      nothingPostponed = new CompletableFuture<>();
      Timer.Timeout unused = timer.schedule(retryDelay, loop, this::sendPostponed);
    }
    postponed.add(result);
  }

  private void sendPostponed() {
    waiting.addAll(postponed);
    postponed.clear();
    delivery.send();
    nothingPostponed.complete(null);
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
    postponed.removeIf(result -> over.contains(result.executionId()));
    waiting.removeIf(result -> over.contains(result.executionId()));
    delivery.discard(result -> over.contains(result.executionId()));
    delivery.send();
    executionIds.forEach(listener::released);
  }

  private void release(long executionId) {
    if (saved != null) {
      saved.answered(executionId);
    }
    listener.released(executionId);
  }

  private final class Results implements Outgoing<ExecutionResult, CompleteReply> {

    @Override
    public List<ExecutionResult> nextBatch() {
      List<ExecutionResult> batch = new ArrayList<>();
      int chars = 0;
      while (!waiting.isEmpty()
          && batch.size() < CompleteRequest.MAX_RESULTS
          && chars < MAX_BATCH_CHARS) {
        ExecutionResult result = waiting.remove();
        String message = result.message();
        chars += message == null ? 0 : message.length();
        batch.add(result);
      }
      return batch;
    }

    @Override
    public CompletableFuture<CompleteReply> send(List<ExecutionResult> batch) {
      return tracker.complete(new CompleteRequest(batch));
    }

    @Override
    public int answered(List<ExecutionResult> batch, CompleteReply reply) {
      List<CompletionStatus> answers = reply.answers();
      int answered = Math.min(answers.size(), batch.size());
      List<Long> refused = new ArrayList<>();
      for (int i = 0; i < answered; i++) {
        long executionId = batch.get(i).executionId();
        switch (answers.get(i)) {
          case ACCEPTED -> release(executionId);
          case REFUSED -> {
            refused.add(executionId);
            release(executionId);
          }
          case TRY_AGAIN, UNKNOWN -> postpone(batch.get(i));
        }
      }
      if (!refused.isEmpty()) {
        LOG.warn(
            "report: the tracker ignored results that arrived too late, of executions {}", refused);
      }
      return answered;
    }

    @Override
    public void refused(ExecutionResult result, Throwable reason) {
      LOG.error(
          "report: the tracker rejected the result of execution {}", result.executionId(), reason);
      release(result.executionId());
    }
  }
}
