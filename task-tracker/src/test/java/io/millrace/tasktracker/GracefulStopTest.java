package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.connected;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GracefulStopTest {

  private static void answerOpenPulls(HandDrivenWorker worker) {
    worker.tracker.pulls.forEach(
        call -> call.answer().complete(PullReply.of(List.of(), List.of())));
  }

  @Test
  void idleWorkerStopsAsSoonAsItsOpenPullIsAnswered() {
    HandDrivenWorker worker = connected(4);

    CompletableFuture<Void> stopped = worker.node.stop();
    assertThat(stopped).isNotDone();
    answerOpenPulls(worker);

    assertThat(stopped).isCompleted();
    assertThat(worker.tracker.closed).isTrue();
  }

  @Test
  void stopTellsTheTrackerAtOnceThatNoPullIsOpen() {
    HandDrivenWorker worker = connected(4);

    worker.node.stop();

    assertThat(worker.tracker.lastPull())
        .usingRecursiveComparison()
        .ignoringFields("aliveMillis", "workerSlots", "begun", "features", "labels")
        .isEqualTo(new PullRequest(2, 0, List.of(), List.of()));
  }

  @Test
  void workThatHasNotBegunIsGivenBack() {
    HandDrivenWorker worker = connected(4);
    worker.tracker.assign(executions(11, 2));

    worker.node.stop();

    assertThat(worker.results())
        .allMatch(result -> result.outcome() == Outcome.NOT_STARTED)
        .extracting(ExecutionResult::executionId)
        .containsExactly(11L, 12L);
    worker.runInvocations();
    assertThat(worker.results()).hasSize(2);
  }

  @Test
  void workThatArrivesDuringTheStopIsGivenBackBeforeTheConnectionCloses() {
    HandDrivenWorker worker = connected(4);
    CompletableFuture<Void> stopped = worker.node.stop();

    worker.tracker.answer(1, PullReply.of(List.of(execution(11)), List.of()));
    answerOpenPulls(worker);

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.NOT_STARTED);
    assertThat(worker.invocations).isEmpty();
    assertThat(stopped).isCompleted();
  }

  @Test
  void stopIsBoundedWhenNoAnswerComes() {
    HandDrivenWorker worker = connected(4);
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    CompletableFuture<Void> stopped = worker.node.stop();
    worker.advance(Duration.ofSeconds(10));

    assertThat(stopped).isCompleted();
  }

  @Test
  void stopOfAWorkerThatNeverFoundATrackerIsBounded() {
    HandDrivenWorker worker = HandDrivenWorker.with(context -> Result.success()).build();

    CompletableFuture<Void> stopped = worker.node.stop();
    worker.advance(Duration.ofSeconds(5));

    assertThat(stopped).isCompleted();
    assertThat(worker.tracker.requests).isEmpty();
  }

  /** A worker whose only invocation runs while the test does something else. */
  private static final class RunningInvocation {
    final List<Runnable> whileRunning = new ArrayList<>();
    final HandDrivenWorker worker;

    RunningInvocation(JobRunner afterwards) {
      worker =
          HandDrivenWorker.with(
                  context -> {
                    whileRunning.forEach(Runnable::run);
                    return afterwards.run(context);
                  })
              .connect();
      worker.tracker.assign(execution(11));
    }
  }

  @Test
  void invocationUnderWayMayEndWithinTheGraceWhileLeasesLiveOn() {
    RunningInvocation invocation = new RunningInvocation(context -> Result.success("in time"));
    HandDrivenWorker worker = invocation.worker;
    List<CompletableFuture<Void>> stopped = new ArrayList<>();
    invocation.whileRunning.add(() -> stopped.add(worker.node.stop()));
    invocation.whileRunning.add(
        () -> {
          int before = worker.tracker.pulls.size();
          for (int i = 0; i < 20; i++) {
            worker.advance(Duration.ofSeconds(1));
            answerOpenPulls(worker);
          }
          assertThat(worker.tracker.pulls).hasSizeGreaterThanOrEqualTo(before + 19);
          assertThat(worker.tracker.lastPull().slots()).isZero();
          assertThat(worker.tracker.lastPull().held()).containsExactly(11L);
        });

    worker.runOneInvocation();
    answerOpenPulls(worker);

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(worker.resultOf(11).message()).isEqualTo("in time");
    assertThat(stopped.get(0)).isCompleted();
  }

  @Test
  void invocationThatOutlivesTheGraceIsInterruptedAndItsAttemptDoesNotCount() {
    RunningInvocation invocation =
        new RunningInvocation(
            context -> {
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
              throw new InterruptedException();
            });
    HandDrivenWorker worker = invocation.worker;
    invocation.whileRunning.add(worker.node::stop);
    invocation.whileRunning.add(() -> worker.advance(Duration.ofSeconds(30)));

    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void exceptionCausedByTheInterruptDoesNotCountEither() {
    RunningInvocation invocation =
        new RunningInvocation(
            context -> {
              Thread.interrupted();
              throw new IllegalStateException("wrapped", new InterruptedException());
            });
    HandDrivenWorker worker = invocation.worker;
    invocation.whileRunning.add(worker.node::stop);
    invocation.whileRunning.add(() -> worker.advance(Duration.ofSeconds(30)));

    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.INTERRUPTED);
  }

  @Test
  void failureThatHasNothingToDoWithTheInterruptCounts() {
    RunningInvocation invocation =
        new RunningInvocation(
            context -> {
              Thread.interrupted();
              throw new IllegalStateException("a bug");
            });
    HandDrivenWorker worker = invocation.worker;
    invocation.whileRunning.add(worker.node::stop);
    invocation.whileRunning.add(() -> worker.advance(Duration.ofSeconds(30)));

    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.EXCEPTION);
  }

  @Test
  void successAfterAnInterruptIsASuccess() {
    RunningInvocation invocation = new RunningInvocation(context -> Result.success());
    HandDrivenWorker worker = invocation.worker;
    invocation.whileRunning.add(worker.node::stop);
    invocation.whileRunning.add(() -> worker.advance(Duration.ofSeconds(30)));

    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void invocationThatIgnoresTheInterruptDoesNotHoldUpTheStopForEver() {
    RunningInvocation invocation = new RunningInvocation(context -> Result.success());
    HandDrivenWorker worker = invocation.worker;
    List<CompletableFuture<Void>> stopped = new ArrayList<>();
    invocation.whileRunning.add(() -> stopped.add(worker.node.stop()));
    invocation.whileRunning.add(() -> answerOpenPulls(worker));
    invocation.whileRunning.add(() -> worker.advance(Duration.ofSeconds(41)));
    invocation.whileRunning.add(() -> assertThat(stopped.get(0)).isCompleted());

    worker.runOneInvocation();

    assertThat(worker.results()).as("its own result comes too late").hasSize(1);
    assertThat(stopped).hasSize(1);
  }

  /** The lease of what was never reported would run out, and that uses up an attempt. */
  @Test
  void attemptOfAnInvocationThatIgnoresTheInterruptDoesNotCountEither() {
    RunningInvocation invocation = new RunningInvocation(context -> Result.success());
    HandDrivenWorker worker = invocation.worker;
    invocation.whileRunning.add(worker.node::stop);
    invocation.whileRunning.add(
        () -> {
          for (int i = 0; i < 35; i++) {
            answerOpenPulls(worker);
            worker.advance(Duration.ofSeconds(1));
          }
        });
    invocation.whileRunning.add(
        () -> {
          assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.INTERRUPTED);
          assertThat(worker.resultOf(11).startedAt()).isEqualTo(HandDrivenWorker.START);
          assertThat(worker.tracker.closed).isTrue();
        });

    worker.runOneInvocation();

    assertThat(worker.results()).hasSize(1);
  }

  @Test
  void resultsAndLogLinesThatWaitAreFlushed() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  context.logger().info("the last words");
                  return Result.success();
                })
            .connect();
    worker.tracker.answersLogs = false;
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 3));
    worker.runInvocations();

    CompletableFuture<Void> stopped = worker.node.stop();
    answerOpenPulls(worker);
    assertThat(stopped).isNotDone();
    worker.tracker.acceptCompletes();
    worker.tracker.acceptLogs();

    assertThat(stopped).isCompleted();
    assertThat(worker.results()).hasSize(3);
    assertThat(worker.tracker.lines)
        .extracting(LogLine::executionId)
        .containsExactly(11L, 12L, 13L);
  }

  @Test
  void nothingIsSentAfterTheStop() {
    HandDrivenWorker worker = connected(4);
    CompletableFuture<Void> stopped = worker.node.stop();
    answerOpenPulls(worker);
    assertThat(stopped).isCompleted();
    int before = worker.tracker.requests.size();

    worker.advance(Duration.ofMinutes(5));

    assertThat(worker.tracker.requests).hasSize(before);
    assertThat(worker.timer.pending()).isZero();
  }
}
