package io.millrace.tasktracker.internal.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.KeepException;
import io.millrace.internal.LogCapture;
import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.KeepReply;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The order and the numbers of what one attempt sends. */
class KeepSenderTest {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final ManualTimer timer = new ManualTimer(clock);
  private final List<Request<?>> sent = new ArrayList<>();
  private final List<CompletableFuture<Object>> answers = new ArrayList<>();
  private final TimedExecutor loop = new TimedExecutor(clock, timer, Runnable::run);
  private final KeepSender sender =
      new KeepSender(
          7, new RepeatedRequests(7, new Tracker(), RETRY, loop, new LogLimiter(clock)), loop);

  private final class Tracker implements KeepCalls {
    @Override
    @SuppressWarnings("unchecked") // the test answers what is asked
    public <R> CompletableFuture<R> call(Request<R> request) {
      sent.add(request);
      CompletableFuture<Object> answer = new CompletableFuture<>();
      answers.add(answer);
      return (CompletableFuture<R>) answer;
    }
  }

  private KeepRequest last() {
    return (KeepRequest) sent.get(sent.size() - 1);
  }

  private void answer(KeepStatus status) {
    answers.get(answers.size() - 1).complete(new KeepReply(status));
  }

  private void fail(ErrorCode code) {
    answers.get(answers.size() - 1).completeExceptionally(new RpcException(code, "no"));
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    return future.handle((unused, failure) -> failure).join();
  }

  @Test
  void checkpointThatIsReplacedIsHeldByNothing() {
    CompletableFuture<KeepStatus> first = sender.checkpoint("1");
    List<CompletableFuture<KeepStatus>> replaced = new ArrayList<>();
    for (int i = 2; i < 100; i++) {
      replaced.add(sender.checkpoint(String.valueOf(i)));
    }
    CompletableFuture<KeepStatus> latest = sender.checkpoint("100");

    assertThat(replaced).allMatch(answer -> answer.getNow(KeepStatus.LOST) == KeepStatus.KEPT);
    assertThat(first).isNotDone();
    assertThat(latest).isNotDone();
    answer(KeepStatus.KEPT);
    timer.advance(KeepSender.CHECKPOINT_PACE);

    assertThat(last()).isEqualTo(new KeepRequest(7, 2, KeptKind.CHECKPOINT, null, "100"));
    answer(KeepStatus.TOO_LARGE);
    assertThat(first).isCompletedWithValue(KeepStatus.KEPT);
    assertThat(latest).isCompletedWithValue(KeepStatus.TOO_LARGE);
  }

  @Test
  void numberThatMayBeTakenIsNotUsedForAnotherValue() {
    CompletableFuture<KeepStatus> charge = sender.step(KeptKind.STEP, "charge", "1");
    fail(ErrorCode.UNAVAILABLE);
    timer.advance(RETRY);
    fail(ErrorCode.UNSUPPORTED);
    CompletableFuture<KeepStatus> mail = sender.step(KeptKind.STEP, "mail", "2");

    assertThat(failureOf(charge)).isInstanceOf(KeepException.class);
    assertThat(failureOf(mail))
        .isInstanceOf(KeepException.class)
        .hasMessageContaining("keeps no steps");
    assertThat(sent).hasSize(2).allMatch(request -> request.equals(last()));
  }

  @Test
  void waitForATrackerWithoutRoomIsLogged() {
    try (LogCapture log = new LogCapture(RepeatedRequests.class)) {
      CompletableFuture<KeepStatus> charge = sender.step(KeptKind.STEP, "charge", "1");
      answers
          .get(0)
          .completeExceptionally(new RpcException(ErrorCode.UNAVAILABLE, "kept.max-bytes"));
      timer.advance(RETRY);
      answer(KeepStatus.KEPT);

      assertThat(charge).isCompletedWithValue(KeepStatus.KEPT);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("WARN execution 7 waits for a tracker ")
          .endsWith(": kept.max-bytes");
    }
  }

  @Test
  void numberThatWasRefusedAtOnceIsFree() {
    CompletableFuture<KeepStatus> charge = sender.step(KeptKind.STEP, "charge", "1");
    fail(ErrorCode.UNSUPPORTED);
    CompletableFuture<KeepStatus> mail = sender.step(KeptKind.STEP, "mail", "2");

    assertThat(failureOf(charge)).isInstanceOf(KeepException.class);
    assertThat(last()).isEqualTo(new KeepRequest(7, 1, KeptKind.STEP, "mail", "2"));
    answer(KeepStatus.KEPT);
    assertThat(mail).isCompletedWithValue(KeepStatus.KEPT);
  }
}
