package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.START;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.withTimeout;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.tasktracker.internal.execute.ExecuteConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Invocations that time out or are terminated. They run in the test's own thread: time passes
 * inside them.
 */
class StoppedInvocationTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private HandDrivenWorker worker;
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void noInterruptLeaksOutOfAnInvocation() {
    assertThat(Thread.interrupted()).isFalse();
  }

  /** Runs an invocation with a time-out, which may turn the worker's clock. */
  private ExecutionResult run(JobRunner runner) {
    worker = HandDrivenWorker.with(runner).connect();
    worker.tracker.assign(withTimeout(11, TIMEOUT));
    worker.runOneInvocation();
    return worker.resultOf(11);
  }

  /** Answers the newest pull with executions that were terminated. */
  private void terminate(Long... executionIds) {
    List<Long> ids = List.of(executionIds);
    worker.tracker.answer(
        worker.tracker.lastPull().number(),
        new PullReply(
            PullStatus.SERVED, List.of(), null, ids, null, ids, List.of(), null, null, null));
  }

  @Test
  void invocationThatRunsTooLongIsInterruptedAtItsTimeout() {
    ExecutionResult result =
        run(
            context -> {
              worker.advance(TIMEOUT.minusMillis(1));
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              assertThat(context.isStopRequested()).isFalse();
              worker.advance(Duration.ofMillis(1));
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
              assertThat(context.isStopRequested()).isTrue();
              assertThat(context.isLost()).isFalse();
              throw new InterruptedException();
            });

    assertThat(result.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(result.startedAt()).isEqualTo(START);
    assertThat(result.finishedAt()).isEqualTo(START.plus(TIMEOUT));
    assertThat(result.message())
        .startsWith("it exceeded its time-out\n\tat ")
        .contains("StoppedInvocationTest.lambda$invocationThatRunsTooLong");
    assertThat(worker.tracker.lastPull().slots()).as("its slot is free").isEqualTo(1);
  }

  @Test
  void timeRunsFromTheBeginOfTheInvocationAndNotFromItsArrival() {
    worker = HandDrivenWorker.with(context -> Result.success()).connect();
    worker.tracker.assign(withTimeout(11, TIMEOUT));
    worker.advance(TIMEOUT.plusSeconds(10));
    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void invocationHasTimedOutRegardlessOfItsResultAfterTheTimeout() {
    for (Result said :
        List.of(
            Result.success(), Result.failed("no"), Result.later(Duration.ofSeconds(1), "wait"))) {
      ExecutionResult result =
          run(
              context -> {
                worker.advance(TIMEOUT);
                return said;
              });
      assertThat(result.outcome()).isEqualTo(Outcome.TIMED_OUT);
      assertThat(result.laterDelay()).isNull();
    }
  }

  @Test
  void invocationThatEndsInTimeLeavesNoTimerBehind() {
    HandDrivenWorker without = HandDrivenWorker.with(context -> Result.success()).connect();
    without.tracker.assign(execution(11));
    without.runOneInvocation();
    ExecutionResult result = run(context -> Result.success("in time"));

    assertThat(result.outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(worker.timer.pending()).isEqualTo(without.timer.pending());
  }

  @Test
  void invocationThatIgnoresItsInterruptEndsWithoutItsThreadAndGivesItsSlotAway() {
    run(
        context -> {
          worker.advance(TIMEOUT.plus(GRACE).minusMillis(1));
          assertThat(worker.results()).isEmpty();
          worker.advance(Duration.ofMillis(1));

          ExecutionResult reported = worker.resultOf(11);
          assertThat(reported.outcome()).isEqualTo(Outcome.TIMED_OUT);
          assertThat(reported.message())
              .startsWith("it exceeded its time-out; the invocation ignored the interrupt for PT5S")
              .contains("StoppedInvocationTest.lambda$invocationThatIgnoresItsInterrupt");
          assertThat(worker.node.stuckInvocations()).isEqualTo(1);
          assertThat(worker.tracker.lastPull().held()).as("reported, so no longer held").isEmpty();
          assertThat(worker.tracker.lastPull().slots()).isEqualTo(1);
          Thread.interrupted();
          return Result.success("after all");
        });

    assertThat(worker.results()).as("the late result is ignored").hasSize(1);
    assertThat(worker.node.stuckInvocations()).isZero();
  }

  /** The invocation of 12 runs inside that of 11, and both ignore their interrupts. */
  @Test
  void atTheBoundOfStuckInvocationsSlotsStayTaken() {
    List<JobRunner> invocations = new ArrayList<>();
    worker =
        HandDrivenWorker.with(context -> invocations.remove(0).run(context))
            .slots(2)
            .execute(new ExecuteConfig(GRACE, 1, true))
            .connect();
    invocations.add(
        outer -> {
          worker.runOneInvocation();
          seen.add("inner has ended, slots asked for: " + slotsAskedFor());
          return Result.success();
        });
    invocations.add(
        inner -> {
          worker.advance(TIMEOUT.plus(GRACE));
          Thread.interrupted();
          assertThat(worker.results())
              .extracting(ExecutionResult::executionId)
              .containsExactly(11L, 12L);
          assertThat(worker.node.stuckInvocations()).isEqualTo(2);
          seen.add("both are stuck, slots asked for: " + slotsAskedFor());
          return Result.success();
        });
    worker.tracker.assign(withTimeout(11, TIMEOUT), withTimeout(12, TIMEOUT));

    worker.runOneInvocation();

    assertThat(seen)
        .containsExactly(
            "both are stuck, slots asked for: 1", "inner has ended, slots asked for: 2");
    assertThat(worker.node.stuckInvocations()).isZero();
    assertThat(slotsAskedFor()).as("the slot of the other was given away before").isEqualTo(2);
  }

  private int slotsAskedFor() {
    return worker.tracker.pulls.stream()
        .filter(pull -> !pull.answer().isDone())
        .filter(pull -> isOpen(pull.request().number()))
        .mapToInt(pull -> pull.request().slots())
        .sum();
  }

  private boolean isOpen(long number) {
    return number == worker.tracker.lastPull().number()
        || worker.tracker.lastPull().openPulls().contains(number);
  }

  @Test
  void terminatedInvocationIsInterruptedAndItsStopIsRequested() {
    worker =
        HandDrivenWorker.with(
                context -> {
                  terminate(11L);
                  assertThat(context.isStopRequested()).isTrue();
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                  throw new InterruptedException();
                })
            .connect();
    worker.tracker.assign(execution(11));
    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(worker.resultOf(11).message()).isEqualTo("it was terminated");
  }

  @Test
  void successOfATerminatedInvocationIsASuccess() {
    worker =
        HandDrivenWorker.with(
                context -> {
                  terminate(11L);
                  return Result.success("just in time");
                })
            .connect();
    worker.tracker.assign(execution(11));
    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void terminatedInvocationThatHasNotBegunNeverDoes() {
    worker =
        HandDrivenWorker.with(
                context -> {
                  seen.add("began");
                  return Result.success();
                })
            .connect();
    worker.tracker.assign(execution(11));
    terminate(11L, 12L);
    worker.runInvocations();

    assertThat(seen).isEmpty();
    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.NOT_STARTED);
    assertThat(worker.results()).as("12 is unknown here").hasSize(1);
  }

  @Test
  void invocationThatIgnoresRepeatedTerminatesIsStuckAfterTheGrace() {
    worker =
        HandDrivenWorker.with(
                context -> {
                  terminate(11L);
                  for (int i = 0; i < GRACE.toSeconds(); i++) {
                    worker.advance(Duration.ofSeconds(1));
                    if (!worker
                        .tracker
                        .pulls
                        .get(worker.tracker.pulls.size() - 1)
                        .answer()
                        .isDone()) {
                      terminate(11L);
                    }
                  }
                  Thread.interrupted();
                  return Result.success();
                })
            .connect();
    worker.tracker.assign(execution(11));
    worker.runOneInvocation();

    assertThat(worker.results()).hasSize(1);
    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(worker.resultOf(11).message())
        .startsWith("it was terminated; the invocation ignored the interrupt for PT5S\n\tat ");
  }

  /** A worker that has requested an invocation to stop has room for other work at once. */
  @Test
  void workerAsksOnAtOnceAfterAnEarlyAnswerThatOnlyTellsItToStop() {
    worker = HandDrivenWorker.with(context -> Result.success()).slots(4).connect();
    worker.tracker.assign(execution(11));
    int before = worker.tracker.pulls.size();
    worker.tracker.answer(
        worker.tracker.lastPull().number(), PullReply.of(List.of(), List.of(11L)));

    assertThat(worker.tracker.pulls).hasSize(before + 1);
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(3);
  }

  @Test
  void timeoutHoldsWhileAStopWaitsForTheInvocation() {
    ExecutionResult result =
        run(
            context -> {
              worker.advance(TIMEOUT.minusSeconds(2));
              worker.node.stop();
              worker.advance(Duration.ofSeconds(2));
              Thread.interrupted();
              throw new InterruptedException();
            });

    assertThat(result.outcome()).isEqualTo(Outcome.TIMED_OUT);
  }
}
