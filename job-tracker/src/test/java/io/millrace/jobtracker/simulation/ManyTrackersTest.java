package io.millrace.jobtracker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.jobtracker.simulation.ManyTrackers.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of node groups, and of the work in them, while trackers come and go. */
class ManyTrackersTest {
  private static final Duration EVERY = Duration.ofMillis(500);
  private static final List<String> GROUPS = List.of("a", "b", "c", "d", "e", "f");

  /** Workers that are sent on connect again and pull again, which costs no time here. */
  private static final Duration NO_GAP = Duration.ofMillis(5);

  /** The tracker that stops closes the connection before its worker has left it. */
  private static final Duration RECONNECT = Duration.ofMillis(300);

  /** A worker follows the second tracker in a row that names another after a pause. */
  private static final Duration TWO_HOPS = Duration.ofSeconds(3);

  private final ManyTrackers cluster = new ManyTrackers(GROUPS.toArray(String[]::new));

  @BeforeEach
  void startOne() {
    cluster.start(1);
    cluster.run(Duration.ofSeconds(2));
    for (String group : GROUPS) {
      cluster.client().submitAsync(Job.builder(group, "often").every(EVERY).build());
    }
    cluster.run(Duration.ofSeconds(8));
    assertThat(cluster.shares()).containsExactly(6L);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** No instant was left out, none ran twice, and none was later than this. */
  private void assertRanOnTime(Instant since, Duration atMost) {
    Map<String, List<Run>> byGroup =
        cluster.runsSince(since).stream().collect(Collectors.groupingBy(Run::group));
    assertThat(byGroup.keySet()).containsExactlyInAnyOrderElementsOf(GROUPS);
    byGroup.values().forEach(runs -> assertGapless(runs, atMost));
    assertThat(cluster.runs()).extracting(Run::executionId).doesNotHaveDuplicates();
  }

  private void assertGapless(Collection<Run> runs, Duration atMost) {
    List<Instant> planned = runs.stream().map(Run::plannedFor).sorted().toList();
    assertThat(planned).doesNotHaveDuplicates();
    for (int i = 1; i < planned.size(); i++) {
      assertThat(planned.get(i)).isEqualTo(planned.get(i - 1).plus(EVERY));
    }
    assertThat(Duration.between(planned.get(planned.size() - 1), cluster.now()))
        .isLessThanOrEqualTo(EVERY.plus(atMost));
    assertThat(runs)
        .filteredOn(run -> run.lateness().isNegative() || run.lateness().compareTo(atMost) > 0)
        .isEmpty();
  }

  @Test
  void trackerThatJoinsGetsItsShareAndNoTriggerIsLate() {
    Instant before = cluster.now();
    cluster.start(2);
    cluster.run(ManyTrackers.LOOK.plusMillis(100));
    assertThat(cluster.shares()).containsExactly(3L, 3L);
    cluster.start(3);
    cluster.run(Duration.ofSeconds(10));

    assertThat(cluster.shares()).containsExactly(2L, 2L, 2L);
    assertRanOnTime(before, NO_GAP);
  }

  @Test
  void groupsStayWhereTheyAreWhileNobodyComesOrGoes() {
    cluster.start(2);
    cluster.run(Duration.ofSeconds(5));
    Map<String, String> settled = cluster.owners();

    cluster.run(Duration.ofSeconds(20));

    assertThat(cluster.owners()).isEqualTo(settled);
  }

  @Test
  void trackerThatStopsHandsItsGroupsOverAndNoTriggerIsLate() {
    cluster.start(2);
    cluster.start(3);
    cluster.run(Duration.ofSeconds(10));
    Instant before = cluster.now();

    cluster.close(2);
    cluster.run(Duration.ZERO);
    assertThat(cluster.shares()).containsExactly(3L, 3L);
    cluster.run(Duration.ofSeconds(10));

    assertThat(cluster.shares()).containsExactly(3L, 3L);
    assertRanOnTime(before, RECONNECT);
  }

  @Test
  void groupsOfATrackerThatDiesAreServedWithinItsLeaseAndOneLook() {
    cluster.start(2);
    cluster.run(Duration.ofSeconds(10));
    Instant death = cluster.now();
    cluster.kill(2);

    cluster.run(ManyTrackers.LEASE.plus(ManyTrackers.LOOK));
    assertThat(cluster.shares()).containsExactly(6L);
    cluster.run(Duration.ofSeconds(20));

    Duration outage = ManyTrackers.LEASE.plus(ManyTrackers.LOOK).plusSeconds(1);
    assertRanOnTime(death.plus(outage), NO_GAP);
    assertThat(cluster.runsSince(death))
        .allSatisfy(run -> assertThat(run.lateness()).isLessThan(outage));
  }

  @Test
  void groupThatWasHandedToATrackerThatDiedIsNotLost() {
    cluster.start(2);
    cluster.kill(2);
    cluster.run(ManyTrackers.LOOK);
    assertThat(cluster.shares()).as("handed over all the same").containsExactly(3L, 3L);

    cluster.run(ManyTrackers.LEASE.plus(ManyTrackers.LOOK));
    assertThat(cluster.shares()).containsExactly(6L);
    Instant back = cluster.now().plusSeconds(1);
    cluster.run(Duration.ofSeconds(5));

    assertRanOnTime(back, NO_GAP);
  }

  /** It wakes up believing that no time has passed. */
  @Test
  void trackerThatWasStoppedForLongLooksBeforeItHandsAnythingOut() {
    cluster.start(2);
    cluster.run(Duration.ofSeconds(10));
    cluster.stop(2);
    cluster.run(Duration.ofSeconds(30));
    assertThat(cluster.shares()).containsExactly(6L);
    Instant goesOn = cluster.now();

    cluster.goOn(2);
    cluster.run(Duration.ofSeconds(20));

    assertThat(cluster.shares()).containsExactly(3L, 3L);
    assertRanOnTime(goesOn.plus(TWO_HOPS), NO_GAP);
  }

  @Test
  void newGroupsAreSharedOut() {
    cluster.start(2);
    cluster.run(Duration.ofSeconds(5));
    for (String group : List.of("g", "h", "i", "j")) {
      cluster.client().submitAsync(Job.builder(group, "one").build());
    }
    cluster.run(Duration.ofSeconds(5));

    assertThat(cluster.shares()).containsExactly(5L, 5L);
  }

  /** The clocks of their machines differ by ten minutes, and step as often as they like. */
  @Test
  void wrongClocksThatStepChangeNothing() {
    cluster.start(2, Duration.ofMinutes(5));
    cluster.start(3, Duration.ofMinutes(-5));
    cluster.run(Duration.ofSeconds(10));
    Instant before = cluster.now();
    Map<String, String> settled = cluster.owners();
    assertThat(cluster.shares()).containsExactly(2L, 2L, 2L);

    for (int step = 0; step < 10; step++) {
      cluster.step(1, Duration.ofMinutes(step % 2 == 0 ? 5 : -5));
      cluster.run(Duration.ofMillis(1_700));
      cluster.step(2, Duration.ofMinutes(step % 2 == 0 ? -10 : 10));
      cluster.step(3, Duration.ofMinutes(7));
      cluster.run(Duration.ofMillis(1_700));
    }

    assertThat(cluster.owners()).isEqualTo(settled);
    assertRanOnTime(before, NO_GAP);
    assertThat(cluster.ledger())
        .allSatisfy(row -> assertThat(row.status().name()).isEqualTo("SUCCEEDED"));
  }
}
