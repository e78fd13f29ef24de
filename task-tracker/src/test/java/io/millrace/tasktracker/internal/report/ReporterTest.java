package io.millrace.tasktracker.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private static final String LARGE = "\"" + "x".repeat(60_000) + "\"";

  private final ManualClock clock = new ManualClock(0);
  private final List<Integer> sent = new ArrayList<>();
  private final List<Long> released = new ArrayList<>();
  private final List<Boolean> heldBack = new ArrayList<>();
  private boolean listenerFails;
  private int mostChars;
  private Reporter reporter;

  @BeforeEach
  void connect() {
    reporter =
        new Reporter(
            this::accept,
            new Listener(),
            null,
            Duration.ofSeconds(1),
            new TimedExecutor(clock, new ManualTimer(clock), Runnable::run));
    reporter.connected();
  }

  private CompletableFuture<CompleteReply> accept(CompleteRequest request) {
    int count = request.results().size();
    sent.add(count);
    int chars = request.results().stream().mapToInt(ExecutionResult::textChars).sum();
    mostChars = Math.max(mostChars, chars);
    return CompletableFuture.completedFuture(
        new CompleteReply(Collections.nCopies(count, CompletionStatus.ACCEPTED)));
  }

  private static ExecutionResult result(long executionId) {
    return new ExecutionResult(
        executionId, Outcome.SUCCESS, null, null, List.of(), null, Instant.EPOCH);
  }

  private final class Listener implements ReportListener {
    @Override
    public void released(long executionId) {
      if (listenerFails) {
        throw new IllegalStateException("the listener fails");
      }
      released.add(executionId);
    }

    @Override
    public void outboxFull(boolean full) {
      heldBack.add(full);
    }
  }

  @Test
  void resultThatFailsAListenerIsSentAgainWithTheNextResult() {
    listenerFails = true;
    reporter.report(result(11));
    listenerFails = false;

    reporter.report(result(12));

    assertThat(sent).containsExactly(1, 2);
    assertThat(released).containsExactly(11L, 12L);
    assertThat(reporter.whenIdle()).isCompleted();
  }

  @Test
  void resultThatFailsAListenerIsSentAgainAfterAReconnect() {
    listenerFails = true;
    reporter.report(result(11));
    listenerFails = false;

    reporter.disconnected();
    reporter.connected();

    assertThat(sent).containsExactly(1, 1);
    assertThat(released).containsExactly(11L);
    assertThat(reporter.unanswered()).isZero();
    assertThat(reporter.whenIdle()).isCompleted();
  }

  @Test
  void largeResultsAreSentInSeveralRequestsAndHoldBackThePullWhileTheyAreTooMany() {
    reporter.disconnected();
    int count = (int) (ResultBytes.MAX_BYTES / (3 * LARGE.length())) + 1;
    for (long id = 1; id < count; id++) {
      reporter.report(large(id));
    }
    assertThat(heldBack).isEmpty();
    reporter.report(large(count));
    assertThat(heldBack).containsExactly(true);

    reporter.connected();

    assertThat(heldBack).containsExactly(true, false);
    assertThat(released).hasSize(count);
    assertThat(sent).hasSizeGreaterThan(count / 8);
    assertThat(mostChars).isLessThan(512 * 1024);
  }

  private static ExecutionResult large(long executionId) {
    return new ExecutionResult(
        executionId, Outcome.SUCCESS, null, null, List.of(), null, Instant.EPOCH, LARGE, false);
  }
}
