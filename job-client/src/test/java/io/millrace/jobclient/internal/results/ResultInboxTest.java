package io.millrace.jobclient.internal.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.rpc.RpcException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResultInboxTest {
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final ResultInbox inbox = new ResultInbox(tasks::add);
  private final List<String> heard = new ArrayList<>();

  @Test
  void takesNothingWithoutAListener() {
    assertThat(inbox.take(results("a"))).isCompletedWithValue(new FeedbackReply(0));
    assertThat(tasks).isEmpty();
  }

  @Test
  void listenerRunsOnTheExecutorOnly() {
    inbox.listener(result -> heard.add(result.taskId()));

    CompletableFuture<FeedbackReply> reply = inbox.take(results("a", "b"));
    assertThat(heard).isEmpty();
    assertThat(reply).isNotDone();
    runTasks();

    assertThat(heard).containsExactly("a", "b");
    assertThat(reply).isCompletedWithValue(new FeedbackReply(2));
  }

  /** Acknowledging what the listener threw on would lose it for ever. */
  @Test
  void resultThatTheListenerThrewOnIsNotAcknowledgedAndNeitherAreThoseBehindIt() {
    inbox.listener(
        result -> {
          heard.add(result.taskId());
          if (result.taskId().equals("b")) {
            throw new IllegalStateException("planned");
          }
        });

    CompletableFuture<FeedbackReply> reply = inbox.take(results("a", "b", "c"));
    runTasks();

    assertThat(reply).isCompletedWithValue(new FeedbackReply(1));
    assertThat(heard).containsExactly("a", "b");
  }

  @Test
  void errorOfTheListenerLeavesTheInboxAlive() {
    inbox.listener(
        result -> {
          throw new AssertionError("planned");
        });
    CompletableFuture<FeedbackReply> failed = inbox.take(results("a"));
    runTasks();
    inbox.listener(result -> heard.add(result.taskId()));

    CompletableFuture<FeedbackReply> told = inbox.take(results("a"));
    runTasks();

    assertThat(failed).isCompletedWithValue(new FeedbackReply(0));
    assertThat(told).isCompletedWithValue(new FeedbackReply(1));
  }

  @Test
  void requestsAreDeliveredOneAfterAnother() {
    inbox.listener(result -> heard.add(result.taskId()));
    inbox.take(results("a"));
    CompletableFuture<FeedbackReply> second = inbox.take(results("b"));

    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(heard).containsExactly("a");
    assertThat(second).isNotDone();
    runTasks();

    assertThat(heard).containsExactly("a", "b");
  }

  @Test
  void slowListenerRefusesFurtherRequests() {
    inbox.listener(result -> heard.add(result.taskId()));
    for (int i = 0; i < ResultInbox.MAX_WAITING; i++) {
      inbox.take(results("taken" + i));
    }

    CompletableFuture<FeedbackReply> refused = inbox.take(results("refused"));

    assertThat(refused.handle((reply, failure) -> ((RpcException) failure).code()))
        .isCompletedWithValue(ErrorCode.UNAVAILABLE);
    runTasks();
    assertThat(heard).hasSize(ResultInbox.MAX_WAITING).doesNotContain("refused");
  }

  private void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  private static FeedbackRequest results(String... taskIds) {
    return new FeedbackRequest(Stream.of(taskIds).map(ResultInboxTest::result).toList());
  }

  private static TriggerResult result(String taskId) {
    return new TriggerResult(
        "orders", taskId, Instant.EPOCH, 0, Disposition.SUCCEEDED, 1, null, Instant.EPOCH);
  }
}
