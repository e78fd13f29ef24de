package io.millrace.console.alert.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlertSenderTest {
  private final LogCapture log = new LogCapture(AlertSender.class);
  private final Inbox inbox = new Inbox();
  private final Counts counts = new Counts();
  private final AlertSender courier = new AlertSender(inbox, counts);
  private long now = 1_000_000;

  /** A receiver that takes messages, or fails as it is told to. */
  private static final class Inbox implements AlertReceiver {
    final List<String> taken = new ArrayList<>();
    int attempts;
    @Nullable DeliveryException failure;
    @Nullable RuntimeException defect;

    @Override
    public String type() {
      return "webhook";
    }

    @Override
    public String name() {
      return "the inbox";
    }

    @Override
    public void deliver(AlertMessage message, long undelivered) throws DeliveryException {
      attempts++;
      if (defect != null) {
        throw defect;
      }
      if (failure != null) {
        throw failure;
      }
      taken.add(undelivered == 0 ? message.id() : message.id() + " after " + undelivered);
    }
  }

  private static final class Counts implements AlertCounts {
    final Map<Outcome, Long> counted = new EnumMap<>(Outcome.class);

    @Override
    public void count(String receiverType, Outcome outcome, long alerts) {
      assertThat(receiverType).isEqualTo("webhook");
      counted.merge(outcome, alerts, Long::sum);
    }
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  void messagesArriveInTheirOrder() {
    take("a", "b", "c");

    assertThat(courier.runOnce(now)).isEqualTo(3);

    assertThat(inbox.taken).containsExactly("a", "b", "c");
    assertThat(counts.counted).containsOnly(Map.entry(AlertCounts.Outcome.SENT, 3L));
    assertThat(courier.runOnce(now)).isZero();
  }

  @Test
  void whatIsNotTakenIsTriedAgainAfterGrowingPauses() {
    inbox.failure = new DeliveryException("it answers 503");
    take("a", "b");
    List<Long> pauses = new ArrayList<>();
    long before = now;
    for (int seconds = 0; seconds < 100; seconds++) {
      int attempts = inbox.attempts;
      assertThat(courier.runOnce(now)).isZero();
      if (inbox.attempts > attempts) {
        pauses.add((now - before) / 1_000);
        before = now;
      }
      now += 1_000;
    }
    assertThat(pauses).containsExactly(0L, 5L, 10L, 20L, 40L);

    inbox.failure = null;
    now += Duration.ofMinutes(5).toMillis();

    assertThat(courier.runOnce(now)).isEqualTo(2);
    assertThat(inbox.taken).containsExactly("a", "b");
    assertThat(counts.counted)
        .containsOnly(
            Map.entry(AlertCounts.Outcome.SENT, 2L), Map.entry(AlertCounts.Outcome.FAILED, 5L));
    assertThat(log.lines())
        .hasSize(5)
        .first()
        .isEqualTo(
            "WARN alerts: the inbox did not accept a (attempt 1 of 8, next attempt in 5.0s):"
                + " it answers 503");
  }

  @Test
  void messageIsGivenUpAfterSoManyAttemptsAndTheNextThatIsTakenSaysSo() {
    inbox.failure = new DeliveryException("it answers 503");
    take("a", "b");
    tryAgain(AlertSender.MOST_ATTEMPTS);
    assertThat(log.lines())
        .last()
        .isEqualTo(
            "ERROR alerts: a message to the inbox was dropped, because it answers 503:"
                + " orders: 3 triggers ended DEAD");

    inbox.failure = null;
    tryAgain(1);
    take("c");
    tryAgain(1);

    assertThat(inbox.taken).containsExactly("b after 1", "c");
    assertThat(counts.counted)
        .containsEntry(AlertCounts.Outcome.FAILED, (long) AlertSender.MOST_ATTEMPTS)
        .containsEntry(AlertCounts.Outcome.DROPPED, 1L);
  }

  @Test
  void whatIsRefusedForGoodIsNotTriedAgain() {
    inbox.failure = new DeliveryException("it answers 404", false);
    take("a");

    tryAgain(3);

    assertThat(inbox.attempts).isEqualTo(1);
    assertThat(counts.counted).containsEntry(AlertCounts.Outcome.DROPPED, 1L);
  }

  @Test
  void receiverWithADefectIsTriedAgain() {
    inbox.defect = new IllegalStateException("a defect");
    take("a");
    tryAgain(2);
    inbox.defect = null;
    tryAgain(1);

    assertThat(inbox.attempts).isEqualTo(3);
    assertThat(inbox.taken).containsExactly("a");
  }

  @Test
  void theOldestAreGivenUpForThoseThatComeAfterThem() {
    take(IntStream.range(0, 103).mapToObj(Integer::toString).toArray(String[]::new));

    assertThat(courier.runOnce(now)).isEqualTo(AlertSender.MOST_WAITING);

    assertThat(inbox.taken).startsWith("3 after 3", "4").endsWith("102");
    assertThat(counts.counted).containsEntry(AlertCounts.Outcome.DROPPED, 3L);
  }

  @Test
  void whatNoMessageTellsOfIsSaidWithTheNext() {
    courier.missed(7);
    courier.missed(0);
    take("a");

    courier.runOnce(now);

    assertThat(inbox.taken).containsExactly("a after 7");
    assertThat(counts.counted).containsEntry(AlertCounts.Outcome.DROPPED, 7L);
    assertThat(log.lines()).containsExactly("WARN alerts: 7 events are not reported to the inbox");
  }

  @Test
  void whenTheTrackerStopsEachMessageIsTriedOnceAndThoseLeftAreCounted() {
    inbox.failure = new DeliveryException("it answers 503");
    take("a", "b", "c");
    courier.runOnce(now);

    courier.last(now);

    assertThat(inbox.attempts).isEqualTo(2);
    assertThat(counts.counted).containsEntry(AlertCounts.Outcome.DROPPED, 3L);
    assertThat(courier.runOnce(now + 1_000_000)).isZero();
  }

  @Test
  void whenTheTrackerStopsThePauseIsCutShort() {
    inbox.failure = new DeliveryException("it answers 503");
    take("a", "b");
    courier.runOnce(now);
    inbox.failure = null;

    courier.last(now);

    assertThat(inbox.taken).containsExactly("a", "b");
  }

  private void take(String... ids) {
    courier.take(java.util.Arrays.stream(ids).map(SampleAlerts::message).toList());
  }

  private void tryAgain(int times) {
    for (int i = 0; i < times; i++) {
      courier.runOnce(now);
      now += Duration.ofMinutes(5).toMillis();
    }
  }
}
