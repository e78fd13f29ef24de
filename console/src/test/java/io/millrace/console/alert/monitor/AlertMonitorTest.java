package io.millrace.console.alert.monitor;

import static io.millrace.console.alert.monitor.SampleAlerts.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.LogCapture;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlertMonitorTest {
  private static final AlertRules RULES = AlertRules.DEFAULT;
  private static final int WINDOW = 30;
  private static final int REPEAT = 15 * 60;
  private static final Figures FINE = new Figures(0, 0, 1);

  private AlertMonitor desk = new AlertMonitor(RULES, "tracker:1");
  private Instant now = NOON;

  @Test
  void whatDiesWithinAWindowIsOneMessageWithItsCountAndTheFirstFew() {
    for (int i = 1; i <= 5; i++) {
      dies("orders", "task-" + i);
      pass(2);
      assertThat(due()).isEmpty();
    }
    dies("letters", "another");
    pass(WINDOW - 10);

    assertThat(headlines()).containsExactly("orders: 5 triggers ended DEAD");
    pass(10);
    assertThat(headlines()).containsExactly("letters: 1 trigger ended DEAD");
  }

  @Test
  void messageNamesTheFirstOfWhatItCountsWithTimeAndReason() {
    dies("orders", "task-1");
    pass(2);
    IntStream.range(0, 100_000).forEach(i -> dies("orders", "another-" + i));
    pass(WINDOW);

    AlertMessage message = due().get(0);

    assertThat(message.count()).isEqualTo(100_001);
    assertThat(message.examples()).hasSize(3);
    assertThat(message.examples().get(0))
        .isEqualTo(
            new AlertExample(
                "task-1", NOON, "attempts used up: java.io.IOException: no route to the printer"));
    assertThat(message.since()).isEqualTo(NOON);
    assertThat(message.until()).isEqualTo(NOON.plusSeconds(2));
    assertThat(AlertWords.lines(message, 0))
        .contains(
            "- task-1 at 2026-11-22T12:00:00Z: attempts used up: java.io.IOException: no route to"
                + " the printer",
            "- and 99998 more");
  }

  @Test
  void whatDiesSoonAfterAMessageWaitsForTheNext() {
    dies("orders", "task-1");
    pass(WINDOW);
    assertThat(headlines()).hasSize(1);

    for (int i = 0; i < 4; i++) {
      dies("orders", "more-" + i);
      pass(WINDOW);
      assertThat(due()).isEmpty();
    }
    pass(REPEAT - 4 * WINDOW);

    assertThat(headlines()).containsExactly("orders: 4 triggers ended DEAD");
    pass(REPEAT);
    assertThat(due()).isEmpty();
  }

  @Test
  void otherEndsAreNoAlerts() {
    for (LedgerStatus status : EnumSet.complementOf(EnumSet.of(LedgerStatus.DEAD))) {
      desk.ended(SampleAlerts.end("orders", "task", status, now.toEpochMilli()));
    }
    pass(WINDOW);

    assertThat(due()).isEmpty();
  }

  @Test
  void latenessIsToldWhenItBeginsAgainAfterAWhileAndWhenItIsOver() {
    counted("orders", new Figures(7, 61_000, 2));
    pass(WINDOW - 1);
    assertThat(due()).isEmpty();
    pass(1);
    counted("orders", new Figures(2300, 91_000, 2));
    assertThat(headlines())
        .containsExactly(
            "orders: triggers wait too long for a worker (2300 are due, the oldest for 1m 31s)");

    pass(REPEAT - 1);
    counted("orders", new Figures(2300, 991_000, 2));
    assertThat(due()).isEmpty();
    pass(1);
    assertThat(headlines())
        .containsExactly(
            "orders: triggers still wait too long for a worker (2300 are due, the oldest for"
                + " 16m 31s), since 2026-11-22T12:00:00Z");

    counted("orders", FINE);
    assertThat(due()).as("it may come back at once").isEmpty();
    pass(WINDOW);
    counted("orders", FINE);
    assertThat(headlines())
        .containsExactly("orders: over: no trigger waits too long any longer; it lasted 15m 29s");
    pass(REPEAT);
    counted("orders", FINE);
    assertThat(due()).isEmpty();
  }

  @Test
  void whatWaitsForLessThanTheThresholdIsNotLate() {
    for (int i = 0; i < 100; i++) {
      counted("orders", new Figures(10_000, 60_000, 2));
      handedOut("orders", 60_000);
      pass(5);
      assertThat(due()).isEmpty();
    }
  }

  /** A backlog that is gone before anybody counts it was late all the same. */
  @Test
  void whatWasHandedOutLateIsToldWithTheWorst() {
    handedOut("orders", 61_000, 5, 250_000);
    pass(WINDOW);

    AlertMessage message = due().get(0);

    assertThat(AlertWords.headline(message))
        .isEqualTo("orders: 2 triggers were assigned too late, by up to 4m 10s");
    assertThat(message.phase()).isEqualTo(AlertPhase.HAPPENED);
    assertThat(message.worst()).isEqualTo(Duration.ofSeconds(250));
    assertThat(message.examples().get(0).message())
        .isEqualTo("was due at 2026-11-22T11:58:59Z, assigned 1m 1s late");
  }

  @Test
  void missingWorkersAreToldInPlaceOfTheLatenessThatFollows() {
    Figures unattended = new Figures(12, 100_000, 0);
    for (int i = 0; i < 60; i += 5) {
      counted("orders", unattended);
      assertThat(due()).isEmpty();
      pass(5);
    }
    assertThat(headlines())
        .containsExactly(
            "orders: no worker is connected, and work is due (12 are due, the oldest for 1m 40s)");

    pass(WINDOW);
    counted("orders", unattended);
    assertThat(due()).isEmpty();
    pass(WINDOW);
    counted("orders", FINE);
    assertThat(headlines())
        .containsExactly(
            "orders: over: a worker is connected, or no work is due any longer; it lasted 1m 30s");
  }

  @Test
  void workersThatReconnectInTimeAreNotMissed() {
    for (int i = 0; i < 20; i++) {
      counted("orders", new Figures(12, 1_000, 0));
      pass(55);
      counted("orders", new Figures(12, 1_000, 1));
      assertThat(due()).isEmpty();
    }
  }

  /** A database that is away looks like nothing, and least of all like an empty queue. */
  @Test
  void nothingIsOverUntilItWasCountedAgain() {
    counted("orders", new Figures(7, 61_000, 2));
    pass(WINDOW);
    assertThat(due()).hasSize(1);

    pass(WINDOW * 10);

    assertThat(due()).isEmpty();
  }

  @Test
  void whatBeginsAndEndsTooSoonAfterAMessageIsCountedInTheNext() {
    lateFor(WINDOW);
    assertThat(phases()).containsExactly(AlertPhase.BEGAN);
    isFine();
    assertThat(phases()).containsExactly(AlertPhase.OVER);

    lateFor(WINDOW);
    isFine();
    lateFor(WINDOW);
    isFine();
    assertThat(due()).isEmpty();
    pass(REPEAT);

    AlertMessage message = due().get(0);
    assertThat(message.phase()).isEqualTo(AlertPhase.HAPPENED);
    assertThat(message.spells()).isEqualTo(2);
    assertThat(AlertWords.headline(message)).contains("this happened 2 times and is over");
  }

  @Test
  void troubleOfThisTrackerIsToldByItsOwnWordsOnceItLasts() {
    for (int i = 0; i < WINDOW; i++) {
      desk.healthIs("the store has not answered for " + i + " s", now.toEpochMilli());
      assertThat(due()).isEmpty();
      pass(1);
    }
    assertThat(headlines())
        .containsExactly(
            "tracker:1: this tracker is not working: the store has not answered for 29 s");

    pass(WINDOW);
    desk.healthIs(null, now.toEpochMilli());
    assertThat(headlines())
        .containsExactly("tracker:1: over: this tracker is working again; it lasted 29s");
  }

  @Test
  void trackersThatAreGoneAreToldByTheirAddress() {
    desk.trackerGone(new Tracker(3, "id", "tracker:3", NOON.toEpochMilli(), 1), now.toEpochMilli());
    pass(WINDOW);

    assertThat(AlertWords.lines(due().get(0), 0))
        .containsExactly(
            "tracker:1: 1 tracker is gone",
            "- at 2026-11-22T12:00:00Z: tracker 3 at tracker:3 did not renew its lease; other"
                + " trackers take over its node groups");
  }

  @Test
  void nodeGroupThatIsLeftIsWatchedElsewhereAndThatIsSaidOfWhatWasTold() {
    counted("told", new Figures(7, 61_000, 2));
    pass(WINDOW);
    assertThat(due()).hasSize(1);
    counted("untold", new Figures(7, 61_000, 2));

    desk.serves(List.of("another"), now.toEpochMilli());
    pass(REPEAT);

    assertThat(phases()).containsExactly(AlertPhase.LEFT);
  }

  @Test
  void kindsAndNodeGroupsThatAreNotWantedAreNotTold() {
    desk =
        new AlertMonitor(
            new AlertRules(
                EnumSet.of(AlertKind.DEAD),
                List.of("test-*", "orders"),
                RULES.lateAfter(),
                RULES.noWorkerAfter(),
                RULES.window(),
                RULES.repeat(),
                60,
                0),
            "tracker:1");
    dies("test-1", "task");
    dies("orders", "task");
    dies("orders-2", "task");
    counted("orders-2", new Figures(7, 61_000, 2));
    handedOut("orders-2", 61_000);
    desk.trackerGone(new Tracker(3, "id", "tracker:3", 0, 1), now.toEpochMilli());
    pass(WINDOW);

    List<AlertMessage> messages = due();

    assertThat(messages).extracting(AlertMessage::nodeGroup).containsExactly("orders-2");
    assertThat(messages.get(0).examples()).isEmpty();
  }

  @Test
  void soManyMessagesLeaveWithinAnHourAndNothingOfTheOthersIsLost() {
    try (LogCapture log = new LogCapture(AlertMonitor.class)) {
      IntStream.range(0, 70).forEach(i -> dies("group-" + i, "task"));
      pass(WINDOW);
      assertThat(due()).hasSize(60);
      IntStream.range(60, 70).forEach(i -> dies("group-" + i, "task-2"));
      pass(3_599);
      assertThat(due()).isEmpty();
      assertThat(log.lines())
          .containsExactly(
              "WARN alerts: the limit of 60 messages in an hour is reached; further alerts"
                  + " are delayed");

      pass(1);

      assertThat(due()).hasSize(10).allMatch(message -> message.count() == 2);
    }
  }

  @Test
  void clockThatIsSetBackSilencesNothing() {
    dies("orders", "task-1");
    pass(WINDOW);
    assertThat(due()).hasSize(1);
    now = now.minus(Duration.ofDays(1));
    dies("orders", "task-2");
    pass(WINDOW);

    assertThat(headlines()).containsExactly("orders: 1 trigger ended DEAD");
  }

  @Test
  void whatIsBeyondTheBoundIsCounted() {
    IntStream.range(0, AlertMonitor.MOST_INCIDENTS + 3).forEach(i -> dies("group-" + i, "task"));
    dies("group-0", "task-2");

    assertThat(desk.runOnce(now.toEpochMilli()).lost()).isEqualTo(3);
    assertThat(desk.runOnce(now.toEpochMilli()).lost()).isZero();
  }

  @Test
  void nodeGroupsOfWhichThereIsNothingMoreToSayMakeRoom() {
    IntStream.range(0, AlertMonitor.MOST_INCIDENTS)
        .forEach(i -> counted("group-" + i, new Figures(7, 61_000, 2)));
    IntStream.range(0, AlertMonitor.MOST_INCIDENTS).forEach(i -> counted("group-" + i, FINE));
    assertThat(due()).isEmpty();

    dies("orders", "task");
    pass(WINDOW);

    assertThat(headlines()).containsExactly("orders: 1 trigger ended DEAD");
  }

  @Test
  void allThereIsIsToldWhenTheTrackerStops() {
    counted("late", new Figures(7, 61_000, 2));
    pass(WINDOW);
    assertThat(due()).hasSize(1);
    dies("orders", "task-1");

    AlertMonitor.Due last = desk.last(now.toEpochMilli());

    assertThat(last.messages())
        .extracting(AlertMessage::phase)
        .containsExactly(AlertPhase.LEFT, AlertPhase.HAPPENED);
    assertThat(last.lost()).isZero();
    try (LogCapture log = new LogCapture(AlertMonitor.class)) {
      dies("orders", "task-2");
      assertThat(log.lines())
          .containsExactly("WARN alerts: no message reports that task-2@0#0 of orders ended DEAD");
    }
  }

  @Test
  void whatTheHourHasNoRoomForIsCountedWhenTheTrackerStops() {
    IntStream.range(0, 65).forEach(i -> dies("group-" + i, "task"));
    try (LogCapture log = new LogCapture(AlertMonitor.class)) {
      AlertMonitor.Due last = desk.last(now.toEpochMilli());

      assertThat(last.messages()).hasSize(60);
      assertThat(last.lost()).isEqualTo(5);
      assertThat(log.lines()).hasSize(1);
    }
  }

  @Test
  void idsAreUnique() {
    IntStream.range(0, 20).forEach(i -> dies("group-" + i, "task"));
    pass(WINDOW);

    assertThat(due()).extracting(AlertMessage::id).doesNotHaveDuplicates().hasSize(20);
  }

  private void lateFor(int seconds) {
    counted("orders", new Figures(7, 61_000, 2));
    pass(seconds);
    counted("orders", new Figures(7, 61_000, 2));
  }

  private void isFine() {
    pass(WINDOW);
    counted("orders", FINE);
  }

  private void dies(String nodeGroup, String taskId) {
    desk.ended(SampleAlerts.end(nodeGroup, taskId, LedgerStatus.DEAD, now.toEpochMilli()));
  }

  /** The age of the backlog is that of its oldest trigger, in milliseconds. */
  private record Figures(long backlog, long oldestAge, int workers) {
    GroupStats at(long now) {
      return new GroupStats(
          new Backlog(backlog, backlog == 0 ? Long.MAX_VALUE : now - oldestAge),
          now,
          workers,
          0,
          0,
          false,
          false,
          Set.of());
    }
  }

  private void counted(String nodeGroup, Figures figures) {
    long millis = now.toEpochMilli();
    desk.counted(nodeGroup, figures.at(millis), millis);
  }

  private void handedOut(String nodeGroup, long... lateBy) {
    desk.handedOut(
        nodeGroup,
        java.util.Arrays.stream(lateBy)
            .mapToObj(late -> assignment(nodeGroup, now.minusMillis(late)))
            .toList(),
        now.toEpochMilli());
  }

  private static Assignment assignment(String nodeGroup, Instant dueAt) {
    return new Assignment(1, nodeGroup, "task", dueAt, 0, dueAt, 1, 4, null, Map.of(), null, null);
  }

  private void pass(int seconds) {
    now = now.plusSeconds(seconds);
  }

  private List<AlertMessage> due() {
    return desk.runOnce(now.toEpochMilli()).messages();
  }

  private List<String> headlines() {
    return due().stream().map(AlertWords::headline).toList();
  }

  private List<AlertPhase> phases() {
    return due().stream().map(AlertMessage::phase).toList();
  }
}
