package io.millrace.test.internal;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.internal.resources.ClientResources;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A tracker over a database in memory, and what connects to it. Thread-safe. */
public final class MemoryCluster implements AutoCloseable {
  public static final String ADDRESS = "tracker.test:1";

  /**
   * The time of day jumps, and the lease of a tracker must not run out in a jump: it is not renewed
   * there, because no time passes for its timer.
   */
  private static final Duration TRACKER_LEASE = Duration.ofDays(1_090);

  /** How far the clock may move away from the start of the tracker. */
  public static final Duration LONGEST_TEST = Duration.ofDays(800);

  private static final Duration FOREVER = Duration.ofDays(36_525);
  private static final Duration TO_START = Duration.ofSeconds(30);
  private static final Duration TO_JOIN = Duration.ofSeconds(5);
  private static final int MOST_NODE_GROUPS = 1_000;

  private static final ServiceConfig SERVICE =
      new ServiceConfig(
          TRACKER_LEASE,
          new ServiceConfig.Workers(
              ServiceConfig.Workers.DEFAULT.lease(),
              ServiceConfig.Workers.DEFAULT.parkTime(),
              Duration.ZERO,
              ServiceConfig.Workers.DEFAULT.timeoutGrace()),
          ServiceConfig.Preload.DEFAULT,
          Duration.ofMinutes(5));

  private final Conductor conductor = new Conductor();
  private final WireRecord wire = new WireRecord();
  private final ManualClock clock;
  private final ManualTimer timer;
  private final InProcessNetwork network;
  private final MemoryDatabase database = MemoryDatabase.open();
  private final JobTracker tracker;
  private final Map<Long, CompletableFuture<?>> openCalls = new ConcurrentHashMap<>();
  private final AtomicLong calls = new AtomicLong();
  private volatile boolean newcomers;

  /**
   * Starts the tracker.
   *
   * @param start what the clock shows when this returns
   * @param zone of cron expressions that name none
   */
  public MemoryCluster(Instant start, ZoneId zone) {
    clock = new ManualClock(start.minus(TO_START));
    timer = new ManualTimer(clock);
    network = new InProcessNetwork(timer, conductor, clock, 1);
    tracker =
        JobTracker.over(
            new TrackerSettings(
                "tracker",
                zone,
                new NodeGroupConfig(MOST_NODE_GROUPS, MOST_NODE_GROUPS, Duration.ZERO),
                GenerationLimits.DEFAULT,
                SERVICE,
                new RetentionConfig(
                    FOREVER,
                    RetentionConfig.MOST_LEDGER_ROWS,
                    FOREVER,
                    FOREVER,
                    FOREVER,
                    FOREVER,
                    FOREVER),
                QuotaConfig.DEFAULT),
            new TrackerRuntime(
                database.stores(),
                network.server(ADDRESS, "tracker", RoleTokens.NONE),
                new TimedExecutor(clock, timer, conductor),
                new Random(1)));
    conductor.onStall(this::failCalls);
    conductor.execute(tracker::start);
    conductor.settle(passage(start.toEpochMilli(), true));
  }

  /** Returns the resources of a client that has this id and this client group. */
  public ClientResources clientResources(String clientGroup, String id) {
    RpcConnector connector =
        network.connector(RpcConnectorConfig.of(NodeRole.CLIENT, id, clientGroup, null));
    return new ClientResources(
        clock,
        timer,
        conductor,
        conductor.listeners(),
        new ObservedConnector(connector, new LateAnswers()),
        new Random(id.hashCode()));
  }

  /** Returns the resources of a worker that has this id and this node group. */
  public WorkerResources workerResources(String nodeGroup, String id) {
    wire.serves(nodeGroup);
    newcomers = true;
    RpcConnector connector =
        network.connector(RpcConnectorConfig.of(NodeRole.WORKER, id, nodeGroup, null));
    return new WorkerResources(
        clock,
        timer,
        conductor,
        conductor.handlers(),
        new ObservedConnector(connector, new Recorder(id)));
  }

  /**
   * Lets workers that are new connect and pull before anything else happens: the time of day is set
   * back a little and then passes up to where it was.
   */
  public void admitNewcomers() {
    conductor.settle(null);
    if (newcomers) {
      newcomers = false;
      Instant now = clock.now();
      clock.set(now.minus(TO_JOIN));
      conductor.settle(passage(now.toEpochMilli(), true));
    }
  }

  /**
   * Returns a passage of time up to an instant, in epoch milliseconds.
   *
   * @param continuous whether time passes without a jump and does not stand still for handlers
   */
  public Passage passage(long end, boolean continuous) {
    return new TimePassage(clock, timer, database.stores(), wire, end, continuous);
  }

  public Conductor conductor() {
    return conductor;
  }

  public WireRecord wire() {
    return wire;
  }

  public Stores stores() {
    return database.stores();
  }

  public Instant now() {
    return clock.now();
  }

  @Override
  public void close() {
    OpenParts parts = new OpenParts();
    parts.add(database);
    parts.add(conductor);
    parts.add(tracker);
    parts.close();
  }

  /** Fails the calls of clients that wait for time to pass: their thread may be the test's. */
  private void failCalls() {
    openCalls.forEach(
        (number, call) ->
            call.completeExceptionally(
                new RpcException(
                    ErrorCode.BAD_REQUEST,
                    "the tracker answers when time has passed, and none passes while a test waits:"
                        + " move the clock first, then ask")));
  }

  /** Delivers answers when nothing else is left to do. */
  private final class LateAnswers implements ObservedConnector.Observer {

    @Override
    public <R> CompletableFuture<R> called(Request<R> request, CompletableFuture<R> answer) {
      CompletableFuture<R> late = new CompletableFuture<>();
      Long number = calls.incrementAndGet();
      openCalls.put(number, late);
      answer.whenComplete(
          (reply, failure) ->
              conductor
                  .whenSettled()
                  .execute(
                      () -> {
                        openCalls.remove(number);
                        if (failure == null) {
                          late.complete(reply);
                        } else {
                          late.completeExceptionally(failure);
                        }
                      }));
      return late;
    }
  }

  /** Records what a worker is given and what it reports. */
  private final class Recorder implements ObservedConnector.Observer {
    private final String workerId;

    private Recorder(String workerId) {
      this.workerId = workerId;
    }

    @Override
    public <R> CompletableFuture<R> called(Request<R> request, CompletableFuture<R> answer) {
      if (request instanceof CompleteRequest complete) {
        wire.reported(complete.results());
      }
      return answer.whenComplete(
          (reply, failure) -> {
            if (reply instanceof PullReply pulled) {
              wire.given(workerId, pulled.assignments());
            }
          });
    }
  }
}
