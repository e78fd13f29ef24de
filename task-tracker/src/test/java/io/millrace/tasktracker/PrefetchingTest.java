package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A worker of four slots that may hold a hundred executions more. */
class PrefetchingTest {
  private static final int SLOTS = 4;

  private final HandDrivenWorker worker =
      HandDrivenWorker.with(context -> Result.success()).slots(SLOTS).prefetch(100).connect();

  private long nextId = 1;

  /** Fills the newest pull and runs what it brought, a millisecond each. */
  private void runAPullful() {
    int count = worker.tracker.lastPull().slots();
    worker.tracker.assign(executions(nextId, count));
    nextId += count;
    while (!worker.invocations.isEmpty()) {
      worker.advance(Duration.ofMillis(1));
      worker.runOneInvocation();
    }
  }

  /** Leaves the worker with a pull open that asks for more than it has slots. */
  private void warmUp() {
    for (int i = 0; i < 200 && worker.tracker.lastPull().slots() <= SLOTS; i++) {
      runAPullful();
    }
    assertThat(worker.tracker.lastPull().slots()).isGreaterThan(2 * SLOTS);
  }

  /** Assigns all that the newest pull asks for, and returns the first id. */
  private long assignAll() {
    long first = nextId;
    int count = worker.tracker.lastPull().slots();
    worker.tracker.assign(executions(first, count));
    nextId += count;
    return first;
  }

  @Test
  void firstPullAsksForTheSlotsAlone() {
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(SLOTS);
  }

  @Test
  void invocationsThatEndFastMakeItAskForMoreAndNoMoreThanTheSlotsRunAtOnce() {
    warmUp();

    assignAll();

    assertThat(worker.invocations).hasSize(SLOTS);
    worker.runOneInvocation();
    assertThat(worker.invocations).hasSize(SLOTS);
  }

  @Test
  void whatWaitsRunsInTheOrderInWhichItCame() {
    warmUp();
    long first = assignAll();
    int before = worker.results().size();

    worker.runInvocations();

    assertThat(worker.results().subList(before, worker.results().size()))
        .extracting(ExecutionResult::executionId)
        .isSorted()
        .startsWith(first)
        .endsWith(nextId - 1);
  }

  private List<Long> runAllAndSeeTheOrder() {
    int before = worker.results().size();
    worker.runInvocations();
    return worker.results().stream().skip(before).map(ExecutionResult::executionId).toList();
  }

  @Test
  void jobGoesBeforeThePartsThatWait() {
    warmUp();
    Assignment[] assigned = executions(nextId, 2 * SLOTS);
    for (int i = 0; i < assigned.length - 1; i++) {
      assigned[i] = HandDrivenWorker.part(nextId + i, null, i + 1);
    }
    worker.tracker.assign(assigned);

    List<Long> order = runAllAndSeeTheOrder();

    assertThat(order.subList(0, SLOTS + 1))
        .as("the parts that have slots, then the job that came last")
        .containsExactly(nextId, nextId + 1, nextId + 2, nextId + 3, nextId + 7);
    assertThat(order.subList(SLOTS + 1, order.size()))
        .containsExactly(nextId + 4, nextId + 5, nextId + 6);
  }

  @Test
  void partsDoNotWaitUntilNoJobDoes() {
    warmUp();
    int count = worker.tracker.lastPull().slots();
    Assignment[] assigned = executions(nextId, count);
    assigned[SLOTS] = HandDrivenWorker.part(nextId + SLOTS, null, 1);
    assigned[SLOTS + 1] = HandDrivenWorker.part(nextId + SLOTS + 1, null, 2);
    worker.tracker.assign(assigned);

    List<Long> order = runAllAndSeeTheOrder();

    assertThat(order).hasSize(count);
    assertThat(order.indexOf(nextId + SLOTS)).isEqualTo(SLOTS + 3);
    assertThat(order.indexOf(nextId + SLOTS + 1)).isEqualTo(SLOTS + 7);
  }

  @Test
  void whatWaitsTooLongGoesBackUnbegunAndIsNotAskedForAgain() {
    warmUp();
    long first = assignAll();

    worker.advance(Duration.ofSeconds(1));

    assertThat(worker.invocations).hasSize(SLOTS);
    assertThat(worker.resultOf(first + SLOTS).outcome()).isEqualTo(Outcome.NOT_STARTED);
    assertThat(worker.resultOf(nextId - 1).outcome()).isEqualTo(Outcome.NOT_STARTED);
    worker.advance(Duration.ofSeconds(1));
    assertThat(worker.tracker.lastPull().slots()).isZero();
    worker.runInvocations();
    assertThat(worker.resultOf(first).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void whatIsTerminatedWhileItWaitsNeverBegins() {
    warmUp();
    long waiting = assignAll() + worker.tracker.lastPull().slots() / 2 + SLOTS;
    int pulls = worker.tracker.pulls.size();
    while (worker.tracker.pulls.size() == pulls) {
      worker.runOneInvocation();
    }

    worker.tracker.answer(
        worker.tracker.lastPull().number(),
        new PullReply(
            PullStatus.SERVED,
            List.of(),
            null,
            List.of(waiting),
            null,
            List.of(waiting),
            List.of(),
            null,
            null,
            null));
    worker.runInvocations();

    assertThat(worker.resultOf(waiting).outcome()).isEqualTo(Outcome.NOT_STARTED);
    assertThat(worker.resultOf(waiting + 1).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void closedWorkerGivesBackWhatWaits() {
    warmUp();
    long first = assignAll();

    CompletableFuture<Void> unused = worker.node.stop();
    worker.runInvocations();

    assertThat(worker.resultOf(first + SLOTS).outcome()).isEqualTo(Outcome.NOT_STARTED);
    assertThat(worker.resultOf(nextId - 1).outcome()).isEqualTo(Outcome.NOT_STARTED);
  }

  @Test
  void asLongAsSomethingWaitsMoreIsAskedForInBulk() {
    warmUp();
    assignAll();
    worker.advance(Duration.ofMillis(1));
    int pulls = worker.tracker.pulls.size();

    worker.runOneInvocation();

    assertThat(worker.tracker.pulls).hasSize(pulls);
  }

  /** The tracker may have claimed something already that comes with the next answer. */
  @Test
  void slotsThatAnAnswerLeftAreOfferedAgainAtOnce() {
    warmUp();
    int offered = worker.tracker.lastPull().slots();
    int pulls = worker.tracker.pulls.size();

    worker.tracker.assign(executions(nextId, offered - 1));

    assertThat(worker.tracker.pulls).hasSize(pulls + 1);
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(1);
    assertThat(worker.invocations).as("all slots are in use").hasSize(SLOTS);
    worker.runOneInvocation();
    assertThat(worker.tracker.pulls).as("what is freed since").hasSize(pulls + 1);
  }
}
