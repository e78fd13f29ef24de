package io.millrace.jobclient.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.SubmitResult;
import io.millrace.common.time.ManualClock;
import io.millrace.common.time.ManualTimer;
import io.millrace.jobclient.Delivered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the listener hears, and when an entry may leave the disk. */
class DeliveryNewsTest {
  private final ManualTimer timer =
      new ManualTimer(new ManualClock(Instant.parse("2026-03-01T00:00:00Z")));
  private final Deque<Runnable> listeners = new ArrayDeque<>();
  private final DeliveryNews news = new DeliveryNews(listeners::add, Runnable::run, timer);
  private final List<String> heard = new ArrayList<>();
  private final List<String> letGo = new ArrayList<>();

  @Test
  void entryIsLetGoWhenItsNewsIsTold() {
    news.listener(this::hear);
    tell("a");
    assertThat(letGo).isEmpty();

    runListeners();

    assertThat(heard).containsExactly("a");
    assertThat(letGo).containsExactly("a");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void newsIsToldInOrderOneAtATime() {
    news.listener(this::hear);
    List.of("a", "b", "c").forEach(this::tell);

    assertThat(listeners).hasSize(1);
    runListeners();

    assertThat(heard).containsExactly("a", "b", "c");
  }

  @Test
  void listenerThatThrowsIsToldAgainAndHoldsUpNobody() {
    List<String> tried = new ArrayList<>();
    news.listener(
        delivered -> {
          tried.add(delivered.taskId());
          if (delivered.taskId().equals("a") && tried.size() < 3) {
            throw new IllegalStateException("planned");
          }
        });
    tell("a");
    tell("b");

    runListeners();
    assertThat(tried).containsExactly("a", "b");
    assertThat(letGo).containsExactly("b");
    passTime(Duration.ofSeconds(1));

    assertThat(tried).containsExactly("a", "b", "a");
    assertThat(letGo).containsExactly("b", "a");
  }

  @Test
  void listenerThatAlwaysThrowsIsGivenUpAfterAFewTries() {
    List<String> tried = new ArrayList<>();
    news.listener(
        delivered -> {
          tried.add(delivered.taskId());
          throw new AssertionError("planned");
        });
    tell("a");
    runListeners();

    passTime(Duration.ofSeconds(9));

    assertThat(tried).hasSize(DeliveryNews.MAX_TRIES);
    assertThat(letGo).containsExactly("a");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void entriesAreNotKeptForAListenerThatHangs() {
    news.listener(this::hear);
    tell("a");
    tell("b");

    passTimeWithoutListeners(DeliveryNews.PATIENCE);

    assertThat(letGo).containsExactly("a", "b");
    assertThat(heard).isEmpty();
    runListeners();
    assertThat(heard).containsExactly("a", "b");
    assertThat(letGo).containsExactly("a", "b");
  }

  @Test
  void withoutAListenerEntriesAreLetGoAndTheFirstOneHearsOfThem() {
    tell("a");
    assertThat(letGo).containsExactly("a");

    news.listener(this::hear);
    runListeners();

    assertThat(heard).containsExactly("a");
  }

  @Test
  void newsThatNobodyHearsIsBounded() {
    IntStream.range(0, DeliveryNews.MAX_WAITING + 5).forEach(i -> tell("t" + i));

    news.listener(this::hear);
    runListeners();

    assertThat(heard).hasSize(DeliveryNews.MAX_WAITING).startsWith("t5");
    assertThat(letGo).hasSize(DeliveryNews.MAX_WAITING + 5);
  }

  @Test
  void closedTellsNothingAndLetsGoOfNothing() {
    news.listener(this::hear);
    tell("a");

    news.close();
    runListeners();
    tell("b");

    assertThat(heard).isEmpty();
    assertThat(letGo).isEmpty();
    assertThat(timer.pending()).isZero();
  }

  private void hear(Delivered delivered) {
    heard.add(delivered.taskId());
  }

  private void tell(String taskId) {
    SubmitResult result = SubmitResult.accepted(taskId);
    news.tell(
        new Delivered("orders", taskId, null, Instant.EPOCH, result, null, null),
        () -> letGo.add(taskId));
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
