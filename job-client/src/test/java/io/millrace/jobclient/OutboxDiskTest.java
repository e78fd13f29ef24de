package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.Answers;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the thread of the disk has work. */
class OutboxDiskTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final FakeConnector connector = new FakeConnector();
  private final Deque<Runnable> disk = new ArrayDeque<>();

  @Test
  void submitThatATrackerAnswersIsNoWorkForTheDisk(@TempDir Path directory) {
    try (JobClient client = client(directory)) {
      runDisk();

      CompletableFuture<SubmitResult> result =
          client.submitAsync(Job.builder("orders", "a").build());
      connector.session().last().answer(new SubmitReply(List.of(SubmitResult.accepted("a"))));

      assertThat(result).isCompletedWithValueMatching(Answers.accepted("a"));
      assertThat(disk).isEmpty();
    }
  }

  @Test
  void submitWhileTrackersAreGoneIsWrittenByTheDisk(@TempDir Path directory) {
    try (JobClient client = client(directory)) {
      runDisk();
      connector.down();
      timer.advance(Duration.ofSeconds(1));
      runDisk();

      CompletableFuture<SubmitResult> result =
          client.submitAsync(Job.builder("orders", "a").build());

      assertThat(result).isNotDone();
      assertThat(disk).hasSize(1);
      runDisk();
      assertThat(result).isCompleted();
      assertThat(client.saved()).isEqualTo(1);
    }
  }

  private JobClient client(Path directory) {
    return JobClient.builder()
        .trackers("127.0.0.1:35001")
        .closeTimeout(Duration.ZERO)
        .outbox(directory.resolve("outbox"))
        .resources(
            new ClientResources(
                clock, timer, Runnable::run, Runnable::run, disk::add, connector, new Random(1)))
        .build();
  }

  private void runDisk() {
    for (Runnable task = disk.poll(); task != null; task = disk.poll()) {
      task.run();
    }
  }
}
