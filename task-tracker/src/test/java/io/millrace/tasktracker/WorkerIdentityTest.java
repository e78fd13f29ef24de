package io.millrace.tasktracker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.outbox.OutboxInUseException;
import io.millrace.internal.time.ManualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a worker is after a restart. */
class WorkerIdentityTest {
  @TempDir Path directory;

  private TaskTrackerBuilder kept() {
    return TaskTracker.builder()
        .trackers("127.0.0.1:35001")
        .nodeGroup("orders")
        .runner(context -> Result.success())
        .outbox(directory);
  }

  @Test
  void workerWithAnOutboxHasTheSameIdAfterARestart() {
    String id;
    try (TaskTracker worker = kept().build()) {
      id = worker.id();
    }
    try (TaskTracker again = kept().build()) {
      assertThat(again.id()).isEqualTo(id);
    }
  }

  @Test
  void idThatIsGivenIsKept() {
    try (TaskTracker worker = kept().id("worker-7").build()) {
      assertThat(worker.id()).isEqualTo("worker-7");
    }
    try (TaskTracker again = kept().build()) {
      assertThat(again.id()).isEqualTo("worker-7");
    }
    kept().id("worker-7").build().close();
  }

  @Test
  void outboxOfAnotherWorkerIsRefused() {
    kept().id("worker-7").build().close();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> kept().id("worker-8").build())
        .withMessageContaining(directory.toString())
        .withMessageContaining("belongs to worker worker-7 of node group orders")
        .withMessageContaining("worker worker-8");
    kept().build().close();
  }

  @Test
  void outboxOfAnotherNodeGroupIsRefused() {
    kept().build().close();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> kept().nodeGroup("mails").build())
        .withMessageContaining("node group orders")
        .withMessageContaining("node group mails");
  }

  @Test
  void outboxHasOneWorkerAtATime() {
    try (TaskTracker worker = kept().build()) {
      assertThat(worker.id()).isNotEmpty();
      assertThatThrownBy(() -> kept().build()).isInstanceOf(OutboxInUseException.class);
    }
  }

  @Test
  void builderThatRefusesMakesNoOutbox() {
    Path place = directory.resolve("place");

    assertThatIllegalArgumentException().isThrownBy(() -> kept().outbox(place).slots(0).build());

    assertThat(Files.exists(place)).isFalse();
  }

  @Test
  void processNumbersRiseAlsoWithoutAnOutboxWhenTheIdIsGiven() {
    ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    long process = WorkerIdentity.given("worker-7", clock).process();
    clock.advance(Duration.ofMillis(10));

    assertThat(process).isPositive();
    assertThat(WorkerIdentity.given("worker-7", clock).process()).isGreaterThan(process);
  }

  @Test
  void workerWhoseIdIsNewEachTimeNeedsNoProcessNumber() {
    assertThat(WorkerIdentity.random().process()).isZero();
    assertThat(WorkerIdentity.random().id()).isNotEqualTo(WorkerIdentity.random().id());
  }
}
