package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.waiting.StickyWaits;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Triggers that prefer the worker of their key. */
class StickyTest extends ServiceTest {
  private static final String KEY = "customer-7";

  private HandDrivenWorker own;
  private HandDrivenWorker other;

  /** Both have pulled, so both are known. */
  @BeforeEach
  void connectWorkers() {
    String chosen =
        Objects.requireNonNull(StickyWaits.choose(KEY, List.of("worker-1", "worker-2")));
    own = tracker.worker(chosen);
    other = tracker.worker(chosen.equals("worker-1") ? "worker-2" : "worker-1");
    assertThat(other.take(1)).isEmpty();
    assertThat(own.take(1)).isEmpty();
  }

  private void submit(String taskId) {
    tracker.submit(job(taskId).stickTo(KEY).build());
    tracker.load();
  }

  @Test
  void jobsOfAKeyRunOnItsWorkerWhoeverAskedFirst() {
    CompletableFuture<PullReply> unanswered = other.pull(5);
    CompletableFuture<PullReply> answered = own.pull(5);
    submit("a");
    submit("b");

    assertThat(own.receive(answered)).hasSize(1);
    assertThat(own.take(5)).hasSize(1);
    assertThat(other.receive(unanswered)).isEmpty();
  }

  @Test
  void triggerWaitsForItsWorkerAndOthersDoNot() {
    CompletableFuture<PullReply> parked = other.pull(5);
    submit("a");
    assertThat(parked).isNotDone();
    tracker.submit(job("plain").build());

    assertThat(other.receive(parked)).extracting(each -> each.taskId()).containsExactly("plain");
    assertThat(own.take(5)).extracting(each -> each.taskId()).containsExactly("a");
  }

  @Test
  void anotherWorkerGetsItWhenItsOwnHadNoFreeSlotForTwoSeconds() {
    submit("a");
    assertThat(other.take(5)).isEmpty();
    time.pass(Duration.ofMillis(300));
    CompletableFuture<PullReply> parked = other.pull(5);
    time.pass(Duration.ofMillis(800));

    assertThat(parked).isDone();
    assertThat(other.receive(parked)).hasSize(1);
  }

  @Test
  void anotherWorkerGetsItAtOnceWhenItsOwnIsGone() {
    CompletableFuture<PullReply> parked = other.pull(5);
    submit("a");
    assertThat(parked).isNotDone();
    tracker.desk().disconnected(own.peer());
    time.run();

    assertThat(parked).isDone();
    assertThat(other.receive(parked)).hasSize(1);
  }

  @Test
  void drainingWorkerIsNotPreferred() {
    tracker.desk().drain(List.of(new Drain(own.peer().nodeId(), HandDrivenTracker.GROUP, 0)));
    submit("a");

    assertThat(other.take(5)).hasSize(1);
  }

  @Test
  void onlyAQuarterOfAHeadWaits() {
    for (int n = 0; n < HandDrivenTracker.DEQUE_CAPACITY / 4 + 2; n++) {
      tracker.submit(job("task-" + n).stickTo(KEY).build());
    }

    assertThat(other.take(100)).hasSize(2);
  }

  @Test
  void triggersOfASchedulePreferTheirWorkerToo() {
    tracker.submit(job("poll").stickTo(KEY).every(Duration.ofMinutes(1)).build());
    assertThat(own.take(1)).hasSize(1);
    time.pass(Duration.ofMinutes(1));
    tracker.generate();
    assertThat(own.take(5)).isEmpty();
    CompletableFuture<PullReply> parked = other.pull(5);
    tracker.load();

    assertThat(parked).isNotDone();
  }
}
