package io.millrace.tasktracker.report;

import io.millrace.common.protocol.CompleteReply;
import io.millrace.common.protocol.CompleteRequest;
import io.millrace.common.protocol.CompletionStatus;
import io.millrace.common.protocol.ExecutionResult;
import io.millrace.common.time.Timer;
import io.millrace.tasktracker.delivery.Delivery;
import io.millrace.tasktracker.delivery.Outgoing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues results and sends each until the tracker has answered for it. One that the tracker cannot
 * store now is sent again later and keeps no other waiting. What waits here is bounded by the pull
 * room, which asks for nothing more while too many results are unacknowledged.
 *
 * <p>Confined to the loop.
 */
public final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

  /** Characters of text in one request; keeps it far below the size of a frame. */
  private static final int MAX_BATCH_CHARS = 256 * 1024;

  private final TrackerCompletions tracker;
  private final LongConsumer released;
  private final Duration retryDelay;
  private final Executor loop;
  private final Timer timer;
  private final Deque<ExecutionResult> waiting = new ArrayDeque<>();
  private final List<ExecutionResult> postponed = new ArrayList<>();
  private CompletableFuture<Void> nothingPostponed = CompletableFuture.completedFuture(null);
  private final Delivery<ExecutionResult, CompleteReply> delivery;

  /**
   * @param released told each execution that the tracker has answered for
   * @param retryDelay pause before results that got no answer are sent again
   * @param loop runs tasks one at a time, in order
   */
  public Reporter(
      TrackerCompletions tracker,
      LongConsumer released,
      Duration retryDelay,
      Executor loop,
      Timer timer) {
    this.tracker = tracker;
    this.released = released;
    this.retryDelay = retryDelay;
    this.loop = loop;
    this.timer = timer;
    this.delivery = new Delivery<>("report: results", new Results(), retryDelay, loop, timer);
  }

  /** Reports a result, now or as soon as can be. */
  public void report(ExecutionResult result) {
    waiting.add(result);
    delivery.send();
  }

  public void connected() {
    delivery.connected();
  }

  public void disconnected() {
    delivery.disconnected();
  }

  /** Completes when every result was answered. */
  public CompletableFuture<Void> whenIdle() {
    return delivery
        .whenIdle()
        .thenCompose(
            unused ->
                postponed.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : nothingPostponed.thenCompose(sent -> whenIdle()));
  }

  /** How many results the tracker has not answered. */
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
          case ACCEPTED -> released.accept(executionId);
          case REFUSED -> {
            refused.add(executionId);
            released.accept(executionId);
          }
          case TRY_AGAIN, UNKNOWN -> postpone(batch.get(i));
        }
      }
      if (!refused.isEmpty()) {
        LOG.warn("report: results that came too late and do not count, of executions {}", refused);
      }
      return answered;
    }

    @Override
    public void refused(ExecutionResult result, Throwable reason) {
      LOG.error(
          "report: the tracker cannot take the result of execution {}",
          result.executionId(),
          reason);
      released.accept(result.executionId());
    }
  }
}
