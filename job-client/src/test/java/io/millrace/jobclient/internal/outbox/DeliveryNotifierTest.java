package io.millrace.jobclient.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.SubmitResult;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.internal.request.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the listener is told, and when an entry may leave the disk. */
class DeliveryNotifierTest {
  private final ManualTimer timer =
      new ManualTimer(new ManualClock(Instant.parse("2026-03-01T00:00:00Z")));
  private final Deque<Runnable> listeners = new ArrayDeque<>();
  private final DeliveryNotifier notifier =
      new DeliveryNotifier(listeners::add, Runnable::run, timer);
  private final List<String> received = new ArrayList<>();
  private final List<String> released = new ArrayList<>();

  @Test
  void entryIsReleasedWhenItsListenerReturns() {
    notifier.listener(this::receive);
    end("a");
    assertThat(released).isEmpty();

    runListeners();

    assertThat(received).containsExactly("a");
    assertThat(released).containsExactly("a");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void outcomesAreToldInOrderOneAtATime() {
    notifier.listener(this::receive);
    List.of("a", "b", "c").forEach(this::end);

    assertThat(listeners).hasSize(1);
    runListeners();

    assertThat(received).containsExactly("a", "b", "c");
  }

  @Test
  void listenerThatThrowsIsToldAgainAndHoldsUpNoOtherOutcome() {
    List<String> tried = new ArrayList<>();
    notifier.listener(
        outcome -> {
          tried.add(outcome.key().taskId());
          if (outcome.key().taskId().equals("a") && tried.size() < 3) {
            throw new IllegalStateException("planned");
          }
        });
    end("a");
    end("b");

    runListeners();
    assertThat(tried).containsExactly("a", "b");
    assertThat(released).containsExactly("b");
    passTime(Duration.ofSeconds(1));

    assertThat(tried).containsExactly("a", "b", "a");
    assertThat(released).containsExactly("b", "a");
  }

  @Test
  void listenerThatAlwaysThrowsIsGivenUpAfterAFewTries() {
    List<String> tried = new ArrayList<>();
    notifier.listener(
        outcome -> {
          tried.add(outcome.key().taskId());
          throw new AssertionError("planned");
        });
    end("a");
    runListeners();

    passTime(Duration.ofSeconds(9));

    assertThat(tried).hasSize(DeliveryNotifier.MAX_TRIES);
    assertThat(released).containsExactly("a");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void entriesAreNotKeptForAListenerThatHangs() {
    notifier.listener(this::receive);
    end("a");
    end("b");

    passTimeWithoutListeners(DeliveryNotifier.PATIENCE);

    assertThat(released).containsExactly("a", "b");
    assertThat(received).isEmpty();
    runListeners();
    assertThat(received).containsExactly("a", "b");
    assertThat(released).containsExactly("a", "b");
  }

  @Test
  void withoutAListenerEntriesAreReleasedAndTheFirstOneIsToldOfThem() {
    end("a");
    assertThat(released).containsExactly("a");

    notifier.listener(this::receive);
    runListeners();

    assertThat(received).containsExactly("a");
  }

  @Test
  void outcomesWithoutAListenerAreBounded() {
    IntStream.range(0, DeliveryNotifier.MAX_WAITING + 5).forEach(i -> end("t" + i));

    notifier.listener(this::receive);
    runListeners();

    assertThat(received).hasSize(DeliveryNotifier.MAX_WAITING).startsWith("t5");
    assertThat(released).hasSize(DeliveryNotifier.MAX_WAITING + 5);
  }

  @Test
  void closedTellsNothingAndReleasesNothing() {
    notifier.listener(this::receive);
    end("a");

    notifier.close();
    runListeners();
    end("b");

    assertThat(received).isEmpty();
    assertThat(released).isEmpty();
    assertThat(timer.pending()).isZero();
  }

  private void receive(OutboxOutcome outcome) {
    received.add(outcome.key().taskId());
  }

  private void end(String taskId) {
    SubmitResult result = SubmitResult.accepted(taskId);
    notifier.notify(
        new OutboxOutcome(new JobKey("orders", taskId), null, Instant.EPOCH, result, null, null),
        () -> released.add(taskId));
  }

  private void runListeners() {
    for (Runnable task = listeners.poll(); task != null; task = listeners.poll()) {
      task.run();
    }
  }

  private void passTime(Duration duration) {
    for (long left = duration.toMillis(); left > 0; left -= 100) {
      timer.advance(Duration.ofMillis(100));
      runListeners();
    }
  }

  private void passTimeWithoutListeners(Duration duration) {
    timer.advance(duration);
  }
}
