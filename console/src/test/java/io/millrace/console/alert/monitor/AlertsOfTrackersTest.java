package io.millrace.console.alert.monitor;

import static io.millrace.jobtracker.fixture.TrackersByHand.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.fixture.TrackersByHand;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two trackers over one database, both with alerts: each event is reported once. */
class AlertsOfTrackersTest {
  private static final String[] ADDRESSES = {"a:1", "b:1"};
  private static final Duration RETURN = RepeatedTimer.LONGEST_BACKOFF;
  private static final Duration WINDOW = AlertRules.DEFAULT.window();

  private final List<AlertMessage> told = new ArrayList<>();

  private final AlertReceiver everybody =
      new AlertReceiver() {
        @Override
        public String type() {
          return "webhook";
        }

        @Override
        public String name() {
          return "everybody";
        }

        @Override
        public void deliver(AlertMessage message, long undelivered) {
          told.add(message);
        }
      };

  private final TrackersByHand cluster =
      new TrackersByHand(
          ServiceConfig.DEFAULT,
          new Alerting(AlertRules.DEFAULT, List.of(everybody), Runnable::run),
          ADDRESSES);

  @BeforeEach
  void nothingIsToldOfTheStart() {
    assertThat(told).isEmpty();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void whatEndedDeadIsToldByTheTrackerThatRecordedIt() {
    worker();
    submit("doomed");
    cluster.time.pass(WINDOW.plusSeconds(2));

    assertThat(told).hasSize(1);
    AlertMessage message = told.get(0);
    assertThat(message.kind()).isEqualTo(AlertKind.DEAD);
    assertThat(message.nodeGroup()).isEqualTo(GROUP);
    assertThat(message.count()).isEqualTo(1);
    assertThat(message.examples().get(0).taskId()).isEqualTo("doomed");
    assertThat(message.examples().get(0).message()).contains("on purpose");
  }

  @Test
  void missingWorkersAreToldByTheTrackerThatServesTheGroupAndSoIsTheirReturn() {
    submit("waiting");
    cluster.time.pass(Duration.ofSeconds(70));
    assertThat(told).extracting(AlertMessage::phase).containsExactly(AlertPhase.BEGAN);
    assertThat(told.get(0).kind()).isEqualTo(AlertKind.NO_WORKER);
    assertThat(told.get(0).tracker()).isEqualTo(cluster.owner());
    assertThat(told.get(0).backlog()).isEqualTo(1);
    assertThat(told.get(0).examples())
        .extracting(AlertExample::taskId)
        .as("the first that waits")
        .containsExactly("waiting");

    told.clear();
    worker();
    cluster.time.pass(WINDOW.plusSeconds(10));

    assertThat(told)
        .filteredOn(message -> message.kind() == AlertKind.NO_WORKER)
        .extracting(AlertMessage::phase)
        .containsExactly(AlertPhase.OVER);
    assertThat(told)
        .filteredOn(message -> message.kind() == AlertKind.LATE)
        .extracting(AlertMessage::phase)
        .as("it was handed out more than a minute late")
        .containsExactly(AlertPhase.HAPPENED);
  }

  @Test
  void whatStandsWhenTheOwnerStopsIsReportedAgainByTheNext() {
    submit("waiting");
    cluster.time.pass(Duration.ofSeconds(70));
    String owner = cluster.owner();
    told.clear();

    cluster.stop(owner);
    assertThat(told).extracting(AlertMessage::phase).containsExactly(AlertPhase.LEFT);
    told.clear();
    cluster.time.pass(Duration.ofSeconds(90));

    assertThat(told).extracting(AlertMessage::kind).containsExactly(AlertKind.NO_WORKER);
    assertThat(told.get(0).phase()).isEqualTo(AlertPhase.BEGAN);
    assertThat(told.get(0).tracker()).isNotEqualTo(owner).isEqualTo(cluster.owner());
  }

  /** Between the death and the end of its window the tracker stops. */
  @Test
  void whatWasGatheredIsToldWhenTheTrackerStops() {
    worker();
    submit("doomed");
    cluster.time.pass(Duration.ofSeconds(3));
    assertThat(told).isEmpty();

    cluster.stopAll();

    assertThat(told).extracting(AlertMessage::kind).containsExactly(AlertKind.DEAD);
  }

  @Test
  void trackerThatDiesIsToldByOneOfThoseThatRemain() {
    long lease = ServiceConfig.DEFAULT.trackerLease().toMillis();
    Tracker unused = acquire(lease);
    cluster.time.pass(Duration.ofMillis(lease).plus(RETURN).plus(WINDOW).plusSeconds(5));

    assertThat(told).extracting(AlertMessage::kind).containsExactly(AlertKind.TRACKER_GONE);
    assertThat(told.get(0).examples().get(0).message()).contains("c:1");
  }

  /** As after a while in which no tracker reached the database. */
  @Test
  void trackerThatRenewsItsLeaseAfterAllIsNotGone() {
    long lease = ServiceConfig.DEFAULT.trackerLease().toMillis();
    Tracker late = acquire(lease);
    cluster.time.pass(Duration.ofMillis(lease).plusSeconds(20));

    long later = cluster.time.millis() + Duration.ofHours(1).toMillis();
    assertThat(store().renew(late.number(), "c", later)).isTrue();
    cluster.time.pass(Duration.ofMinutes(3));

    assertThat(told).isEmpty();
  }

  @Test
  void trackerThatStopsIsNotGone() {
    cluster.stop("b:1");
    cluster.time.pass(Duration.ofMinutes(2));

    assertThat(told).isEmpty();
  }

  private TrackerStore store() {
    return cluster.database.stores().trackers();
  }

  /** Registers a third tracker, which does nothing else. */
  private Tracker acquire(long lease) {
    long now = cluster.time.millis();
    return store().acquire("c", "c:1", now, now + lease);
  }

  private void submit(String taskId) {
    JobClient client = cluster.client(ADDRESSES);
    var stored = client.submitAsync(Job.builder(GROUP, taskId).retry(RetryPolicy.NONE).build());
    cluster.time.run();
    assertThat(stored).isCompletedWithValueMatching(answer -> answer.isStored());
  }

  private void worker() {
    cluster.worker(
        context -> {
          throw new IllegalStateException("on purpose");
        },
        ADDRESSES);
  }
}
