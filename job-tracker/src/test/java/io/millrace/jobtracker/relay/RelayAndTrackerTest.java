package io.millrace.jobtracker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.Job;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.jobclient.internal.metrics.RelayMeters;
import io.millrace.jobclient.internal.relay.RelayDuty;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.TrackersByHand;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Relays and a real tracker in one thread: what is late, what is refused and what waits is what the
 * tracker says, and not what a double of it does.
 */
class RelayAndTrackerTest extends RelayTest {
  private static final String TRACKER = "a:1";
  private static final Duration ANSWERED = Duration.ofSeconds(5);
  private static final Instant NEVER_DUE = Instant.parse("2099-01-01T00:00:00Z");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RelayMeters measures = new RelayMeters(meters, "shop");
  private TrackersByHand cluster;
  private Session session;
  private boolean away;

  @BeforeEach
  void startTracker() {
    clock.set(HandTime.START);
    cluster = new TrackersByHand(kind.openForTrackers(), ServiceConfig.DEFAULT, null, TRACKER);
    session = connect();
  }

  @AfterEach
  void stopTracker() {
    cluster.close();
  }

  private Session connect() {
    return cluster.connect(NodeRole.CLIENT, null, TRACKER).join();
  }

  /** The tracker closes connections on which nothing is said. */
  private Session connected() {
    if (!session.isOpen()) {
      session = connect();
    }
    return session;
  }

  /** Lets time pass for relays, their database and the tracker. */
  private void pass(Duration duration) {
    clock.advance(duration);
    cluster.time.pass(duration);
  }

  private TrackerLink link(Consumer<Request<?>> onTheWay) {
    return new TrackerLink() {
      @Override
      public Session session() {
        return away ? null : new AnsweredSession(connected(), onTheWay);
      }

      @Override
      public RpcException refusal() {
        return null;
      }

      @Override
      public String describe() {
        return "the tracker " + TRACKER;
      }
    };
  }

  private RelayDuty realRelay() {
    return relay(link(request -> {}), source(), measures);
  }

  /** Its calls are answered when they return: a relay waits, and no other thread would answer. */
  private final class AnsweredSession implements Session {
    private final Session real;
    private final Consumer<Request<?>> onTheWay;

    private AnsweredSession(Session real, Consumer<Request<?>> onTheWay) {
      this.real = real;
      this.onTheWay = onTheWay;
    }

    @Override
    public Peer peer() {
      return real.peer();
    }

    @Override
    public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
      onTheWay.accept(request);
      CompletableFuture<R> answer = real.call(request, timeout);
      cluster.time.run();
      if (!answer.isDone()) {
        cluster.time.pass(ANSWERED);
      }
      return answer;
    }

    @Override
    public boolean isOpen() {
      return real.isOpen();
    }

    @Override
    public void onClose(Runnable task) {
      real.onClose(task);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  /** Enqueues jobs that stay in the waiting table. */
  private void enqueueLater(String... taskIds) throws SQLException {
    try (Connection connection = begin()) {
      for (String taskId : taskIds) {
        writer.enqueue(connection, List.of(Job.builder("orders", taskId).at(NEVER_DUE).build()));
      }
      connection.commit();
    }
  }

  /** Task id and job id of each waiting trigger. */
  private List<String> jobs() {
    return cluster.database.query(
        "SELECT CONCAT(task_id, ' ', job_id) FROM jt_waiting_orders ORDER BY task_id");
  }

  private List<String> taskIds() {
    return jobs().stream().map(job -> job.substring(0, job.indexOf(' '))).toList();
  }

  /** A relay stops before its request number {@code number} of a type, until this has been done. */
  private RelayDuty frozenAt(Class<?> type, int number, Runnable meanwhile) {
    AtomicInteger requests = new AtomicInteger();
    return relay(
        link(
            request -> {
              if (type.isInstance(request) && requests.incrementAndGet() == number) {
                meanwhile.run();
              }
            }),
        source(),
        measures);
  }

  @Test
  void lateCancelOfAFrozenRelayIsRefused() throws SQLException {
    enqueueLater("x");
    cancel("x");
    enqueueLater("x");
    RelayDuty second = realRelay();
    List<String> sent = new ArrayList<>();
    RelayDuty first =
        frozenAt(
            CancelRequest.class,
            1,
            () -> {
              pass(LEASE);
              run(second);
              sent.addAll(jobs());
            });

    run(first);
    assertThat(sent).as("the job of the second relay").hasSize(1);
    assertThat(jobs()).as("after the late cancel").isEqualTo(sent);
    settle(first, second);

    assertThat(jobs()).isEqualTo(sent);
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
  }

  /** Nothing but the epoch tells the tracker that it has answered this submit before. */
  @Test
  void lateSubmitOfAFrozenRelayIsRefusedAfterADuplicate() throws SQLException {
    RelayDuty second = realRelay();
    AtomicInteger waited = new AtomicInteger();
    RelayDuty first =
        frozenAt(
            SubmitRequest.class,
            2,
            () -> {
              pass(LEASE);
              run(second);
              waited.set(jobs().size());
            });
    enqueueLater("x");
    run(first);
    assertThat(taskIds()).containsExactly("x");
    enqueueLater("x");
    cancel("x");

    run(first);
    assertThat(waited).as("jobs behind the cancel of the second relay").hasValue(0);
    assertThat(jobs()).as("after the late submit").isEmpty();
    settle(first, second);

    assertThat(jobs()).isEmpty();
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
  }

  /** Both go on until nothing is left, and share the partitions between them. */
  private void settle(RelayDuty first, RelayDuty second) {
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofSeconds(5));
      run(first);
      run(second);
    }
    assertThat(first.partitions() + second.partitions()).isEqualTo(16);
  }

  @Test
  void rowsWaitWhileTheTrackerIsAwayAndTheLagShowsForHowLong() throws SQLException {
    RelayDuty relay = realRelay();
    measures.show(relay);
    run(relay);
    assertThat(lag()).isZero();
    cluster.stop(TRACKER);
    away = true;
    enqueueLater("a", "b");
    for (int minute = 1; minute <= 60; minute++) {
      pass(Duration.ofMinutes(1));
      run(relay);
      assertThat(lag()).isEqualTo(60.0 * minute);
    }
    assertThat(left()).containsExactly("a", "b");

    cluster.start(TRACKER);
    pass(Duration.ofSeconds(30));
    away = false;
    run(relay);

    assertThat(taskIds()).containsExactly("a", "b");
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
    run(relay);
    assertThat(lag()).isZero();
  }

  private double lag() {
    return meters.get("millrace.relay.lag").gauge().value();
  }

  @Test
  void rowsThatTheTrackerRejectsAreSetAsideWithTheReasonAndHoldUpNothing() throws SQLException {
    try (Connection connection = begin()) {
      for (int i = 0; i < 12; i++) {
        writer.enqueue(connection, List.of(Job.builder("group_" + i, "a").at(NEVER_DUE).build()));
      }
      connection.commit();
    }
    enqueueLater("last");
    run(realRelay());

    int stored = cluster.database.query("SELECT name FROM jt_node_group").size() - 1;
    assertThat(taskIds()).containsExactly("last");
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).hasSize(12 - stored).containsOnly("TOO_MANY_NODE_GROUPS");
    assertThat(rejected("message")).doesNotContainNull();
  }
}
