package io.millrace.console.alert.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.Job;
import io.millrace.common.model.NodeRole;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.rpc.RoleTokens;
import io.millrace.common.rpc.RpcConnectorConfig;
import io.millrace.common.rpc.Token;
import io.millrace.common.rpc.memory.InProcessNetwork;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.resources.ClientResources;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.WorkerResources;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two trackers over one database, each of which tells everybody: each thing is told once. */
class AlertsOfTrackersTest {
  private static final String GROUP = "orders";
  private static final Token SECRET = Token.of("the secret that the trackers share");
  private static final Duration RETURN = RepeatedTimer.LONGEST_BACKOFF;
  private static final Duration WINDOW = AlertRules.DEFAULT.window();

  private final HandTime time = new HandTime();
  private final TestDatabase database = TestDatabase.h2();
  private final TimedExecutor timed = time.timedExecutor();
  private final InProcessNetwork network =
      new InProcessNetwork(timed.timer(), timed.executor(), timed.clock(), 1);
  private final Map<String, JobTracker> trackers = new LinkedHashMap<>();
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

  @BeforeEach
  void startTrackers() {
    start("a:1");
    start("b:1");
    NodeGroup unused = database.stores().nodeGroups().ensure(GROUP, 10);
    pass(Duration.ofSeconds(30));
    assertThat(told).isEmpty();
  }

  private void start(String address) {
    String id = "tracker-" + address;
    JobTracker tracker =
        JobTracker.over(
            new TrackerSettings(
                id,
                ZoneOffset.UTC,
                NodeGroupConfig.atMost(10),
                GenerationLimits.DEFAULT,
                ServiceConfig.DEFAULT,
                RetentionConfig.DEFAULT,
                QuotaConfig.DEFAULT),
            new TrackerRuntime(
                database.anotherTracker(),
                network.server(address, id, RoleTokens.NONE.withTracker(SECRET)),
                timed,
                new Random(address.hashCode()),
                network.connector(RpcConnectorConfig.of(NodeRole.TRACKER, id, "", SECRET)),
                new Alerting(AlertRules.DEFAULT, List.of(everybody), Runnable::run),
                timed.executor()));
    trackers.put(address, tracker);
    tracker.start();
    time.run();
  }

  @AfterEach
  void close() {
    trackers.values().forEach(JobTracker::close);
    database.close();
  }

  @Test
  void whatEndedDeadIsToldByTheTrackerThatRecordedIt() {
    worker();
    submit("doomed");
    pass(WINDOW.plusSeconds(2));

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
    pass(Duration.ofSeconds(70));
    assertThat(told).extracting(AlertMessage::phase).containsExactly(AlertPhase.BEGAN);
    assertThat(told.get(0).kind()).isEqualTo(AlertKind.NO_WORKER);
    assertThat(told.get(0).tracker()).isEqualTo(owner());
    assertThat(told.get(0).backlog()).isEqualTo(1);
    assertThat(told.get(0).examples())
        .extracting(AlertExample::taskId)
        .as("the first that waits")
        .containsExactly("waiting");

    told.clear();
    worker();
    pass(WINDOW.plusSeconds(10));

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
  void whatStandsWhenTheOwnerStopsIsFoundAnewByTheNext() {
    submit("waiting");
    pass(Duration.ofSeconds(70));
    String owner = owner();
    told.clear();

    trackers.remove(owner).close();
    assertThat(told).extracting(AlertMessage::phase).containsExactly(AlertPhase.LEFT);
    told.clear();
    pass(Duration.ofSeconds(90));

    assertThat(told).extracting(AlertMessage::kind).containsExactly(AlertKind.NO_WORKER);
    assertThat(told.get(0).phase()).isEqualTo(AlertPhase.BEGAN);
    assertThat(told.get(0).tracker()).isNotEqualTo(owner).isEqualTo(owner());
  }

  /** Between the death and the end of its window the tracker stops. */
  @Test
  void whatWasGatheredIsToldWhenTheTrackerStops() {
    worker();
    submit("doomed");
    pass(Duration.ofSeconds(3));
    assertThat(told).isEmpty();

    trackers.values().forEach(JobTracker::close);
    trackers.clear();

    assertThat(told).extracting(AlertMessage::kind).containsExactly(AlertKind.DEAD);
  }

  @Test
  void trackerThatDiesIsToldByOneOfThoseThatRemain() {
    long lease = ServiceConfig.DEFAULT.trackerLease().toMillis();
    Tracker unused =
        database.stores().trackers().acquire("c", "c:1", time.millis(), time.millis() + lease);
    pass(Duration.ofMillis(lease).plus(RETURN).plus(WINDOW).plusSeconds(5));

    assertThat(told).extracting(AlertMessage::kind).containsExactly(AlertKind.TRACKER_GONE);
    assertThat(told.get(0).examples().get(0).message()).contains("c:1");
  }

  /** As after a while in which no tracker reached the database. */
  @Test
  void trackerThatRenewsItsLeaseAfterAllIsNotGone() {
    long lease = ServiceConfig.DEFAULT.trackerLease().toMillis();
    Tracker late =
        database.stores().trackers().acquire("c", "c:1", time.millis(), time.millis() + lease);
    pass(Duration.ofMillis(lease).plusSeconds(20));

    long later = time.millis() + Duration.ofHours(1).toMillis();
    assertThat(database.stores().trackers().renew(late.number(), "c", later)).isTrue();
    pass(Duration.ofMinutes(3));

    assertThat(told).isEmpty();
  }

  @Test
  void trackerThatStopsIsNotGone() {
    trackers.remove("b:1").close();
    pass(Duration.ofMinutes(2));

    assertThat(told).isEmpty();
  }

  private String owner() {
    NodeGroup group = database.stores().nodeGroups().find(GROUP).orElseThrow();
    return database.stores().liveTrackers().at(time.millis()).stream()
        .filter(tracker -> Integer.valueOf(tracker.number()).equals(group.owner()))
        .map(Tracker::address)
        .findFirst()
        .orElseThrow();
  }

  private void submit(String taskId) {
    JobClient client =
        JobClient.builder()
            .trackers("a:1", "b:1")
            .clientGroup("shop")
            .id("client")
            .resources(
                new ClientResources(
                    timed.clock(),
                    timed.timer(),
                    timed.executor(),
                    timed.executor(),
                    network.connector(
                        RpcConnectorConfig.of(NodeRole.CLIENT, "client", "shop", null)),
                    new Random(1)))
            .build();
    var stored = client.submitAsync(Job.builder(GROUP, taskId).retry(RetryPolicy.NONE).build());
    time.run();
    assertThat(stored).isCompletedWithValueMatching(answer -> answer.isStored());
  }

  private void worker() {
    TaskTracker worker =
        TaskTracker.builder()
            .trackers("a:1", "b:1")
            .id("worker")
            .nodeGroup(GROUP)
            .slots(4)
            .runner(
                context -> {
                  throw new IllegalStateException("on purpose");
                })
            .resources(
                new WorkerResources(
                    timed.clock(),
                    timed.timer(),
                    timed.executor(),
                    timed.executor(),
                    network.connector(
                        RpcConnectorConfig.of(NodeRole.WORKER, "worker", GROUP, null))))
            .build();
    worker.start();
    time.run();
  }

  private void pass(Duration duration) {
    time.pass(duration);
  }
}
