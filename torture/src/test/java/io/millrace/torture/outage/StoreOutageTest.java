package io.millrace.torture.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TriggerResult;
import io.millrace.internal.MariaDbFiles;
import io.millrace.internal.rpc.HostPort;
import io.millrace.jobclient.JobCallException;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobSubmitException;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.torture.database.MariaDb;
import io.millrace.torture.network.FreePort;
import io.millrace.torture.network.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What clients and workers see of a tracker whose database server fails while work is under way.
 */
@Timeout(120)
class StoreOutageTest {
  private static final String GROUP = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path directory;

  private static MariaDb server;
  private static TcpProxy wire;

  private final Queue<String> begun = new ConcurrentLinkedQueue<>();
  private final Map<String, Disposition> ends = new ConcurrentHashMap<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<AutoCloseable> opened = new ArrayList<>();
  private JobTracker tracker;
  private JobClient patient;
  private JobClient impatient;

  @BeforeAll
  static void startServer() throws IOException {
    server =
        MariaDbFiles.install(
            directory.resolve("data"), () -> MariaDb.install(directory, MariaDbFiles.PROGRAMS));
    server.start();
    wire = TcpProxy.start(FreePort.find(), new HostPort("127.0.0.1", server.port()));
  }

  @AfterAll
  static void stopServer() {
    wire.close();
    server.kill();
  }

  @BeforeEach
  void startCluster() {
    StoreConfig store =
        new StoreConfig(MariaDb.url(wire.address().port()), "root", "", 4, Duration.ofMillis(500));
    tracker = open(JobTracker.create(JobTrackerConfig.local(0, store)));
    tracker.start();
    patient = open(client(PATIENCE));
    impatient = open(client(Duration.ofSeconds(1)));
    patient.onResult(this::ended);
    open(TaskTracker.builder()
            .trackers(tracker.address())
            .nodeGroup(GROUP)
            .id("worker")
            .slots(4)
            .shutdownGrace(Duration.ZERO)
            .runner(
                job -> {
                  begun.add(job.taskId());
                  if (job.taskId().startsWith("long")) {
                    release.await();
                  }
                  return null;
                })
            .build())
        .start();
  }

  @AfterEach
  void closeAll() throws Exception {
    wire.restore();
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.add(resource);
    return resource;
  }

  private JobClient client(Duration requestTimeout) {
    return JobClient.builder()
        .trackers(tracker.address())
        .clientGroup("shop")
        .requestTimeout(requestTimeout)
        .closeTimeout(Duration.ZERO)
        .build();
  }

  /** Told again when the answer that it had been heard was lost. */
  private void ended(TriggerResult result) {
    ends.put(result.taskId(), result.disposition());
  }

  @Test
  void trackerSaysSoRefusesAndGoesOnByItself() throws SQLException {
    outlive(Outage.values()[0]);
  }

  @ParameterizedTest
  @Tag("long")
  @EnumSource(Outage.class)
  void trackerGoesOnAfterEveryKindOfOutage(Outage outage) throws SQLException {
    outlive(outage);
  }

  private void outlive(Outage outage) throws SQLException {
    assertThat(patient.submit(job("before", outage)).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(patient.submit(job("long", outage)).status()).isEqualTo(SubmitStatus.ACCEPTED);
    await().atMost(PATIENCE).until(() -> begun.contains("long-" + outage));

    Runnable heal = outage.begin(wire, server.port());
    // Whoever asks before the trouble is known waits, and so shows the tracker that there is one.
    CompletableFuture<SubmitResult> waiting = patient.submitAsync(job("during", outage));
    await()
        .atMost(PATIENCE)
        .until(() -> String.valueOf(patient.health().trouble()).contains(outage.says()));

    assertThatThrownBy(() -> impatient.submit(job("refused", outage)))
        .isInstanceOf(JobSubmitException.class)
        .hasStackTraceContaining("try again later: the store has");
    assertThatThrownBy(() -> impatient.explain(GROUP, "before-" + outage))
        .as("a dead database is not an empty one")
        .isInstanceOf(JobCallException.class)
        .hasStackTraceContaining("try again later: the store has");
    assertThat(waiting).isNotDone();
    release.countDown();

    heal.run();

    assertThat(waiting.join().status()).isEqualTo(SubmitStatus.ACCEPTED);
    await().atMost(PATIENCE).until(() -> ends.size() == 3);
    assertThat(ends)
        .containsOnlyKeys("before-" + outage, "long-" + outage, "during-" + outage)
        .allSatisfy((task, end) -> assertThat(end).isEqualTo(Disposition.SUCCEEDED));
    assertThat(begun).as("once each").containsExactlyInAnyOrderElementsOf(ends.keySet());
    await().atMost(PATIENCE).until(() -> patient.health().isGood());
  }

  private static Job job(String name, Outage outage) {
    return Job.builder(GROUP, name + "-" + outage).feedback(true).build();
  }
}
