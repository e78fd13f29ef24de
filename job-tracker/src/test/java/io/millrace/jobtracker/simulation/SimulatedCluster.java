package io.millrace.jobtracker.simulation;

import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.internal.rpc.memory.SimulatedFrame;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientBuilder;
import io.millrace.jobclient.internal.resources.ClientResources;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.fixture.CountedReads;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.PartResult;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;

/**
 * One tracker, workers and a client in one thread. Nothing happens but by {@link #run}; time jumps
 * from one event to the next, also while an invocation waits for an answer. Messages take up to a
 * few milliseconds, some get lost with their connection, and some transactions fail: all by chance
 * of one seed. Each worker has its id as a label.
 */
final class SimulatedCluster implements AutoCloseable {
  static final Instant START = Instant.parse("2026-03-28T00:00:00Z");
  static final String GROUP = "orders";

  /** A handler that every worker has; it returns how many parts the run has. */
  static final String REDUCE = "reduce";

  /** Timers that beat seldom: hints do the work, and a simulated day costs fewer beats. */
  private static final ServiceConfig UNHURRIED =
      new ServiceConfig(
          Duration.ofSeconds(60),
          ServiceConfig.Workers.DEFAULT,
          new ServiceConfig.Preload(Duration.ofSeconds(10), Duration.ofSeconds(30)),
          Duration.ofMinutes(5));

  private static final String TRACKER = "tracker:1";

  private final ManualClock clock = new ManualClock(START);
  private final ManualTimer timer = new ManualTimer(clock);
  private final RunQueue queue = new RunQueue();
  private final Set<String> vanished = new HashSet<>();
  private final TestDatabase database = TestDatabase.h2();
  private final CountedReads reads = new CountedReads();
  private final InProcessNetwork network;
  private final FailingTransactions transactions;
  private final Stores stores;
  private final JobTracker tracker;
  private final List<TaskTracker> workers = new ArrayList<>();
  private final JobClient client;
  private boolean submitRepliesAreLost;

  SimulatedCluster(long seed, double faultShare, int workerCount, JobRunner runner) {
    network = new InProcessNetwork(timer, queue, clock, seed);
    network.setPolicy(new LossyPolicy(faultShare));
    transactions = FailingTransactions.of(database.stores(), seed, faultShare);
    stores = reads.around(FailingTransactions.around(database.stores(), transactions));
    tracker =
        JobTracker.over(
            new TrackerSettings(
                "tracker",
                ZoneOffset.UTC,
                NodeGroupConfig.atMost(10),
                GenerationLimits.DEFAULT,
                UNHURRIED,
                RetentionConfig.DEFAULT,
                QuotaConfig.DEFAULT),
            new TrackerRuntime(
                stores,
                network.server(TRACKER, "tracker", RoleTokens.NONE),
                new TimedExecutor(clock, timer, queue),
                new Random(seed)));
    tracker.start();
    for (int i = 1; i <= workerCount; i++) {
      workers.add(startWorker("worker-" + i, runner));
    }
    client = buildClient("client-1", seed).build();
    run(Duration.ofSeconds(5));
  }

  /** Begins a client of this cluster; whoever builds it closes it. */
  JobClientBuilder buildClient(String id, long seed) {
    return JobClient.builder()
        .trackers(TRACKER)
        .clientGroup("shop")
        .id(id)
        .resources(
            new ClientResources(
                clock,
                timer,
                queue,
                queue,
                network.connector(RpcConnectorConfig.of(NodeRole.CLIENT, id, "shop", null)),
                new Random(seed)));
  }

  private TaskTracker startWorker(String id, JobRunner runner) {
    TaskTracker worker =
        TaskTracker.builder()
            .trackers(TRACKER)
            .id(id)
            .nodeGroup(GROUP)
            .labels(id)
            .slots(4)
            .runner(runner)
            .handler(REDUCE, SimulatedCluster::countParts)
            .resources(
                new WorkerResources(
                    clock,
                    timer,
                    queue,
                    queue,
                    network.connector(RpcConnectorConfig.of(NodeRole.WORKER, id, GROUP, null)),
                    queue,
                    this::runUntilDone))
            .build();
    worker.start();
    return worker;
  }

  private static Result countParts(JobContext context) {
    int parts = 0;
    for (PartResult unused : context.parts()) {
      parts++;
    }
    return Result.of(parts);
  }

  /** Lets this much time pass. */
  void run(Duration duration) {
    long end = clock.millis() + duration.toMillis();
    queue.drain();
    while (timer.nextDueMillis().orElse(Long.MAX_VALUE) <= end && timer.runNext()) {
      queue.drain();
    }
    if (clock.millis() < end) {
      timer.advanceTo(end);
    }
    queue.drain();
  }

  /** An invocation waits: its thread is the only one, so the simulation goes on in it. */
  private void runUntilDone(Future<?> answer) {
    queue.runUntil(answer::isDone);
    while (!answer.isDone() && timer.runNext()) {
      queue.runUntil(answer::isDone);
    }
  }

  /** From now on no answer to a submit arrives: its connection breaks instead. */
  void loseSubmitReplies(boolean lost) {
    submitRepliesAreLost = lost;
  }

  /** What vanished is there again. */
  void reappear(String nodeId) {
    vanished.remove(nodeId);
  }

  /** From now on nothing reaches this node and nothing comes from it; its connection stays open. */
  void vanish(String nodeId) {
    vanished.add(nodeId);
  }

  JobClient client() {
    return client;
  }

  Stores stores() {
    return database.stores();
  }

  TestDatabase database() {
    return database;
  }

  /** What the tracker's loads have read. */
  CountedReads reads() {
    return reads;
  }

  int failedTransactions() {
    return transactions.failed();
  }

  Instant now() {
    return clock.now();
  }

  /** Every row of the ledger, in order of id. */
  List<LedgerEntry> ledger() {
    List<LedgerEntry> rows = new ArrayList<>();
    List<LedgerEntry> page;
    do {
      long last = rows.isEmpty() ? Long.MIN_VALUE : rows.get(rows.size() - 1).id();
      page = database.stores().ledger().readAfter(last, 1_000);
      rows.addAll(page);
    } while (!page.isEmpty());
    return rows;
  }

  @Override
  public void close() {
    tracker.close();
    database.close();
  }

  /** Delays every message by chance, and cuts the connection at some of them. */
  private final class LossyPolicy implements DeliveryPolicy {
    private final double cutShare;

    LossyPolicy(double faultShare) {
      this.cutShare = faultShare / 10;
    }

    @Override
    public SimulatedDelivery decide(SimulatedFrame parcel, Random random) {
      SimulatedDelivery usual =
          SimulatedDelivery.after(Duration.ofNanos(random.nextInt(3_000_000)));
      boolean cut = random.nextDouble() < cutShare || isLostReply(parcel);
      if (vanished.contains(parcel.from()) || vanished.contains(parcel.to())) {
        return SimulatedDelivery.DROPPED;
      }
      return cut ? SimulatedDelivery.CUT : usual;
    }

    private boolean isLostReply(SimulatedFrame parcel) {
      return submitRepliesAreLost
          && parcel.kind() == FrameKind.REPLY
          && parcel.type() == RequestType.SUBMIT;
    }

    @Override
    public boolean connects(String nodeId, String address) {
      return !vanished.contains(nodeId);
    }
  }
}
