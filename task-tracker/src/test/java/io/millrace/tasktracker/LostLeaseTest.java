package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.RpcException;
import io.millrace.tasktracker.internal.execute.ExecuteConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The worker's own view of its leases. Invocations run in the test's own thread. */
class LostLeaseTest {
  private static final long LEASE_MILLIS = 15_000;

  /** The lease less a tenth. */
  private static final Duration OWN_VIEW = Duration.ofMillis(13_500);

  private HandDrivenWorker worker;

  @AfterEach
  void noInterruptLeaksOutOfAnInvocation() {
    assertThat(Thread.interrupted()).isFalse();
  }

  private static PullReply reply(List<Assignment> assignments, List<Long> lost, Long lease) {
    return reply(assignments, lost, lease, null);
  }

  private static PullReply reply(
      List<Assignment> assignments, List<Long> lost, Long lease, Long leasedAfter) {
    return new PullReply(
        PullStatus.SERVED,
        assignments,
        null,
        List.of(),
        null,
        List.of(),
        lost,
        lease,
        null,
        leasedAfter);
  }

  /**
   * Runs an invocation that came with the answer to the first pull, which was sent at the start.
   */
  private ExecutionResult run(JobRunner runner) {
    return run(runner, new ExecuteConfig(Duration.ofSeconds(5), 2, true), LEASE_MILLIS);
  }

  private ExecutionResult run(JobRunner runner, ExecuteConfig config, Long lease) {
    worker = HandDrivenWorker.with(runner).execute(config).connect();
    worker.tracker.answer(1, reply(List.of(execution(11)), List.of(), lease));
    worker.runOneInvocation();
    return worker.resultOf(11);
  }

  private void answerNewest() {
    worker.tracker.answer(
        worker.tracker.lastPull().number(), reply(List.of(), List.of(), LEASE_MILLIS));
  }

  @Test
  void invocationIsNotifiedAndInterruptedWhenTheLeaseHasNearlyRunOut() {
    ExecutionResult result =
        run(
            context -> {
              worker.advance(OWN_VIEW.minusMillis(1));
              assertThat(context.isLost()).isFalse();
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              worker.advance(Duration.ofMillis(1));
              assertThat(context.isLost()).isTrue();
              assertThat(context.isStopRequested()).isTrue();
              throw new InterruptedException();
            });

    assertThat(result.outcome()).isEqualTo(Outcome.LEASE_LOST);
    assertThat(result.message())
        .startsWith("the worker's lease for it was running out or had run out")
        .contains("InterruptedException");
  }

  @Test
  void leaseRunsFromTheSendingOfAPullAndNotFromItsAnswer() {
    worker =
        HandDrivenWorker.with(
                context -> {
                  worker.advance(OWN_VIEW.minusSeconds(5).minusMillis(1));
                  assertThat(context.isLost()).isFalse();
                  worker.advance(Duration.ofMillis(1));
                  assertThat(context.isLost()).isTrue();
                  Thread.interrupted();
                  return Result.success();
                })
            .connect();
    worker.advance(Duration.ofSeconds(5));
    worker.tracker.answer(1, reply(List.of(execution(11)), List.of(), LEASE_MILLIS));
    worker.runOneInvocation();
  }

  @Test
  void leaseRunsFromTheTimeAfterTheSendingThatTheTrackerReports() {
    Duration claimTook = Duration.ofSeconds(3);
    worker =
        HandDrivenWorker.with(
                context -> {
                  worker.advance(OWN_VIEW.plus(claimTook).minusSeconds(5).minusMillis(1));
                  assertThat(context.isLost()).isFalse();
                  worker.advance(Duration.ofMillis(1));
                  assertThat(context.isLost()).isTrue();
                  Thread.interrupted();
                  return Result.success();
                })
            .connect();
    worker.advance(Duration.ofSeconds(5));
    worker.tracker.answer(
        1, reply(List.of(execution(11)), List.of(), LEASE_MILLIS, claimTook.toMillis()));
    worker.runOneInvocation();
  }

  @Test
  void leaseBeginsNeitherBeforeTheSendingNorAfterTheAnswerWhateverTheTrackerReports() {
    for (long reported : new long[] {-7_000, 86_400_000, Long.MAX_VALUE}) {
      Duration left = reported < 0 ? OWN_VIEW.minusSeconds(5) : OWN_VIEW;
      worker =
          HandDrivenWorker.with(
                  context -> {
                    worker.advance(left.minusMillis(1));
                    assertThat(context.isLost()).isFalse();
                    worker.advance(Duration.ofMillis(1));
                    assertThat(context.isLost()).isTrue();
                    Thread.interrupted();
                    return Result.success();
                  })
              .connect();
      worker.advance(Duration.ofSeconds(5));
      worker.tracker.answer(1, reply(List.of(execution(11)), List.of(), LEASE_MILLIS, reported));
      worker.runOneInvocation();
    }
  }

  /** The pull that is sent next may be answered as late as the one before. */
  @Test
  void leaseThatIsHalfOverWhenItIsReceivedIsRenewedAtOnce() {
    long lease = 4_000;
    worker =
        HandDrivenWorker.with(
                context -> {
                  long heartbeat = worker.tracker.lastPull().number() - 1;
                  worker.tracker.answer(heartbeat, reply(List.of(), List.of(), lease));
                  worker.advance(Duration.ofMillis(3_599));
                  assertThat(context.isLost()).isFalse();
                  return Result.success();
                })
            .slots(4)
            .connect();
    worker.advance(Duration.ofMillis(3_000));
    worker.tracker.answer(1, reply(List.of(execution(11)), List.of(), lease));

    assertThat(worker.tracker.lastPull().slots()).isEqualTo(3);
    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  /** A claim may take long, and the pull that it is for is not answered before. */
  @Test
  void leaseThatIsHalfOverIsRenewedBesideAPullWhoseAnswerIsLate() {
    long lease = 4_000;
    worker =
        HandDrivenWorker.with(
                context -> {
                  worker.advance(Duration.ofSeconds(1));
                  assertThat(worker.tracker.lastPull().slots()).isZero();
                  long heartbeat = worker.tracker.lastPull().number();
                  worker.tracker.answer(heartbeat, reply(List.of(), List.of(), lease));
                  worker.advance(Duration.ofSeconds(3));
                  assertThat(context.isLost()).isFalse();
                  return Result.success();
                })
            .slots(4)
            .connect();
    worker.advance(Duration.ofMillis(1_500));
    worker.tracker.answer(1, reply(List.of(execution(11)), List.of(), lease));
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(3);

    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  /** A tracker whose database is away hands nothing out; but it hears whoever runs something. */
  @Test
  void answerThatTellsOfTroubleRenewsTheLeaseToo() {
    ExecutionResult result =
        run(
            context -> {
              for (int i = 0; i < 100; i++) {
                worker.advance(Duration.ofSeconds(1));
                worker.tracker.answer(worker.tracker.lastPull().number(), troubled());
              }
              assertThat(context.isLost()).isFalse();
              return Result.success();
            });

    assertThat(result.outcome()).isEqualTo(Outcome.SUCCESS);
  }

  private static PullReply troubled() {
    return new PullReply(
        PullStatus.SERVED,
        List.of(),
        null,
        List.of(),
        null,
        List.of(),
        List.of(),
        LEASE_MILLIS,
        "no trigger can be claimed now",
        null);
  }

  @Test
  void everyAnsweredPullThatListsTheExecutionRenewsItsLease() {
    ExecutionResult result =
        run(
            context -> {
              for (int i = 0; i < 100; i++) {
                worker.advance(Duration.ofSeconds(1));
                answerNewest();
              }
              assertThat(context.isLost()).isFalse();
              worker.advance(OWN_VIEW);
              assertThat(context.isLost()).isTrue();
              Thread.interrupted();
              return Result.success();
            });

    assertThat(result.outcome())
        .as("the tracker decides whether it counts")
        .isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void renewalCountsFromTheSendingOfThePullHoweverLateItsAnswerIs() {
    run(
        context -> {
          worker.advance(Duration.ofSeconds(2));
          worker.tracker.disconnect();
          worker.tracker.connect();
          long sentAtTwoSeconds = worker.tracker.lastPull().number();
          worker.advance(Duration.ofSeconds(1));
          worker.tracker.answer(sentAtTwoSeconds, reply(List.of(), List.of(), LEASE_MILLIS));
          worker.tracker.disconnect();
          worker.advance(OWN_VIEW.minusSeconds(1).minusMillis(1));
          assertThat(context.isLost()).isFalse();
          worker.advance(Duration.ofMillis(1));
          assertThat(context.isLost()).isTrue();
          worker.tracker.connect();
          Thread.interrupted();
          return Result.success();
        });
  }

  /** A tracker that restarts, or hands the group over, is no reason to stop anything. */
  @Test
  void lostConnectionsErrorsAndOtherTrackersAreNoLossWhileTheLeaseStands() {
    run(
        context -> {
          worker.tracker.disconnect();
          worker.advance(Duration.ofSeconds(4));
          worker.tracker.connect();
          worker.tracker.answer(worker.tracker.lastPull().number(), PullReply.notOwner(null));
          worker.advance(Duration.ofSeconds(4));
          worker.tracker.fail(
              worker.tracker.lastPull().number(),
              new RpcException(ErrorCode.UNAVAILABLE, "starting"));
          worker.advance(Duration.ofSeconds(4));
          assertThat(context.isLost()).isFalse();
          answerNewest();
          worker.advance(Duration.ofSeconds(8));
          assertThat(context.isLost()).as("renewed by the last answer").isFalse();
          return Result.success();
        });
  }

  @Test
  void onlyTheOwnersAnswerRenews() {
    run(
        context -> {
          for (int i = 0; i < 14; i++) {
            worker.advance(Duration.ofSeconds(1));
            worker.tracker.answer(worker.tracker.lastPull().number(), PullReply.notOwner(null));
          }
          assertThat(context.isLost()).isTrue();
          Thread.interrupted();
          return Result.success();
        });
  }

  @Test
  void answerOfAnOwnerThatIsNotCertainRenewsNothing() {
    run(
        context -> {
          for (int i = 0; i < 14; i++) {
            worker.advance(Duration.ofSeconds(1));
            worker.tracker.answer(
                worker.tracker.lastPull().number(),
                reply(List.of(), List.of(), PullReply.RENEWS_NOTHING));
          }
          assertThat(context.isLost()).isTrue();
          Thread.interrupted();
          return Result.success();
        });
  }

  @Test
  void trackerThatDoesNotSayHowLongALeaseIsLosesNothing() {
    run(
        context -> {
          worker.advance(Duration.ofHours(1));
          assertThat(context.isLost()).isFalse();
          return Result.success();
        },
        new ExecuteConfig(Duration.ofSeconds(5), 2, true),
        null);
  }

  @Test
  void invocationMayBeLeftRunning() {
    ExecutionResult result =
        run(
            context -> {
              worker.advance(OWN_VIEW);
              assertThat(context.isLost()).isTrue();
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              throw new IllegalStateException("gave up because it was lost");
            },
            new ExecuteConfig(Duration.ofSeconds(5), 2, false),
            LEASE_MILLIS);

    assertThat(result.outcome()).isEqualTo(Outcome.LEASE_LOST);
    assertThat(result.message()).contains("gave up because it was lost");
  }

  /** The lease may stand after all: what the tracker has not taken away may still succeed. */
  @Test
  void invocationThatIgnoresTheInterruptOfAFearedLossIsNotStuck() {
    ExecutionResult result =
        run(
            context -> {
              worker.advance(OWN_VIEW.plusMinutes(1));
              assertThat(worker.results()).isEmpty();
              assertThat(worker.node.stuckInvocations()).isZero();
              Thread.interrupted();
              return Result.success();
            });

    assertThat(result.outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void whatTheTrackerSaysIsLostIsInterruptedAtOnceAndStuckAfterTheGrace() {
    ExecutionResult result =
        run(
            context -> {
              worker.tracker.answer(
                  worker.tracker.lastPull().number(),
                  reply(List.of(), List.of(11L, 99L), LEASE_MILLIS));
              assertThat(context.isLost()).isTrue();
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
              worker.advance(Duration.ofSeconds(5));
              assertThat(worker.node.stuckInvocations()).isEqualTo(1);
              Thread.interrupted();
              return Result.success("too late");
            });

    assertThat(result.outcome()).isEqualTo(Outcome.LEASE_LOST);
    assertThat(worker.results()).hasSize(1);
    assertThat(worker.node.stuckInvocations()).isZero();
  }

  @Test
  void invocationThatHasNotBegunWhenItsLeaseRunsOutNeverDoes() {
    worker =
        HandDrivenWorker.with(
                context -> {
                  throw new AssertionError("began");
                })
            .connect();
    worker.tracker.answer(1, reply(List.of(execution(11)), List.of(), LEASE_MILLIS));
    worker.advance(OWN_VIEW);
    worker.runInvocations();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.NOT_STARTED);
  }

  @Test
  void nothingIsWatchedOnceAllResultsAreAcknowledged() {
    run(context -> Result.success());
    worker.node.stop();
    answerNewest();
    worker.advance(Duration.ofMinutes(5));

    assertThat(worker.timer.pending()).isZero();
  }
}
