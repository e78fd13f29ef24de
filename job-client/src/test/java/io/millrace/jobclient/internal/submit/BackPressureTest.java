package io.millrace.jobclient.internal.submit;

import static io.millrace.jobclient.internal.submit.PipelineRig.bounds;
import static io.millrace.jobclient.internal.submit.PipelineRig.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.SubmitResult;
import io.millrace.jobclient.JobSubmitException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs in flight are bounded, and a thread that submits more waits. */
@Timeout(30)
class BackPressureTest {

  @Test
  void callerWaitsForRoomAndGoesOnWhenThereIsSome() {
    PipelineRig rig = new PipelineRig(bounds(10, 1 << 20, 2));
    rig.submit(job("a"));
    rig.submit(job("b"));
    BlockedSubmit third = new BlockedSubmit(rig, "c");
    third.awaitBlocked();

    rig.accept(0);

    await().until(() -> third.result.get() != null);
    rig.accept(1);
    await().until(() -> rig.sentTaskIds().stream().anyMatch(ids -> ids.contains("c")));
  }

  @Test
  void expiredJobMakesRoom() {
    PipelineRig rig = new PipelineRig(bounds(10, 1 << 20, 1));
    rig.disconnect();
    rig.submit(job("a"));
    BlockedSubmit second = new BlockedSubmit(rig, "b");
    second.awaitBlocked();

    rig.timer.advance(PipelineRig.TIMEOUT);

    await().until(() -> second.result.get() != null);
  }

  @Test
  void callerThatFindsNoRoomInTimeLearnsThatNothingWasSent() {
    PipelineRig rig = new PipelineRig(SubmitBounds.of(1), Duration.ofMillis(50));
    rig.submit(job("a"));

    CompletableFuture<SubmitResult> second = rig.submit(job("b"));

    assertThat(second)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            JobSubmitException.class, e -> assertThat(e.isOutcomeUnknown()).isFalse())
        .withMessageContaining("orders/b was not sent")
        .withMessageContaining("1 jobs in flight");
  }

  @Test
  void interruptedCallerLeavesTheLineAndKeepsItsFlag() {
    PipelineRig rig = new PipelineRig(bounds(10, 1 << 20, 1));
    rig.submit(job("a"));
    BlockedSubmit second = new BlockedSubmit(rig, "b");
    second.awaitBlocked();

    second.thread.interrupt();

    await().until(() -> second.result.get() != null);
    assertThat(second.result.get()).isCompletedExceptionally();
    assertThat(second.flagKept.get()).isTrue();
    rig.accept(0);
    assertThat(rig.submit(job("c"))).isNotDone();
    assertThat(rig.requests()).hasSize(2);
  }

  /** A submit on a thread of its own. */
  private static final class BlockedSubmit {
    private final AtomicReference<CompletableFuture<SubmitResult>> result = new AtomicReference<>();
    private final AtomicReference<Boolean> flagKept = new AtomicReference<>();
    private final Thread thread;

    private BlockedSubmit(PipelineRig rig, String taskId) {
      thread =
          new Thread(
              () -> {
                CompletableFuture<SubmitResult> future = rig.submit(job(taskId));
                flagKept.set(Thread.currentThread().isInterrupted());
                result.set(future);
              });
      thread.setDaemon(true);
      thread.start();
    }

    private void awaitBlocked() {
      await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
      assertThat(result.get()).isNull();
    }
  }
}
