package io.millrace.jobtracker.simulation;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.internal.rpc.memory.SimulatedFrame;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.DisciplinedClock;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.internal.resources.ClientResources;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.DatabaseTime;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;

/**
 * Trackers on one store, each on a machine whose clock is its own, workers and a client, in one
 * thread. The world's clock is the database's. Messages arrive at once. A tracker can be killed, or
 * stopped for a while, as by a signal; meanwhile nothing reaches it.
 */
final class ManyTrackers implements AutoCloseable {
  static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  static final Duration LEASE = ServiceConfig.DEFAULT.trackerLease();
  static final Duration LOOK = LEASE.dividedBy(5).multipliedBy(11).dividedBy(10);
  private static final Duration DISCIPLINE_PERIOD = Duration.ofSeconds(5);
  private static final String[] ADDRESSES = {"tracker:1", "tracker:2", "tracker:3", "tracker:4"};

  /** An invocation that ran. */
  record Run(String group, String taskId, long executionId, Instant plannedFor, Instant at) {
    Duration lateness() {
      return Duration.between(plannedFor, at);
    }
  }

  private final ManualClock world = new ManualClock(START);
  private final ManualTimer timer = new ManualTimer(world);
  private final RunQueue queue = new RunQueue();
  private final InProcessNetwork network = new InProcessNetwork(timer, queue, world, 1);
  private final TestDatabase database = TestDatabase.h2();
  private final Stores stores = database.stores().with(DatabaseTime.class, real -> world::millis);
  private final Map<String, Machine> machines = new TreeMap<>();
  private final List<Run> runs = new ArrayList<>();
  private final JobClient client;

  ManyTrackers(String... groups) {
    network.setPolicy(new Reachability());
    for (String group : groups) {
      stores.nodeGroups().ensure(group, 100);
      startWorker(group);
    }
    client =
        JobClient.builder()
            .trackers(ADDRESSES)
            .clientGroup("shop")
            .id("client-1")
            .resources(
                new ClientResources(
                    world,
                    timer,
                    queue,
                    queue,
                    network.connector(
                        RpcConnectorConfig.of(NodeRole.CLIENT, "client-1", "shop", null)),
                    new Random(1)))
            .build();
  }

  private void startWorker(String group) {
    String id = "worker-" + group;
    TaskTracker.builder()
        .trackers(ADDRESSES)
        .id(id)
        .nodeGroup(group)
        .slots(4)
        .runner(
            context -> {
              runs.add(
                  new Run(
                      group,
                      context.taskId(),
                      context.executionId(),
                      context.plannedFor(),
                      world.now()));
              return Result.success();
            })
        .resources(
            new WorkerResources(
                world,
                timer,
                queue,
                queue,
                network.connector(RpcConnectorConfig.of(NodeRole.WORKER, id, group, null))))
        .build()
        .start();
  }

  /** Starts the tracker of this number, from 1, on a machine whose clock is off by this much. */
  JobTracker start(int number, Duration clockError) {
    String address = ADDRESSES[number - 1];
    Machine machine = new Machine(clockError);
    machines.put(address, machine);
    machine.follow();
    machine.tracker =
        JobTracker.over(
            new TrackerSettings(
                address,
                ZoneOffset.UTC,
                NodeGroupConfig.atMost(100),
                GenerationLimits.DEFAULT,
                ServiceConfig.DEFAULT,
                RetentionConfig.DEFAULT,
                QuotaConfig.DEFAULT),
            new TrackerRuntime(
                stores,
                network.server(address, address, RoleTokens.NONE),
                new TimedExecutor(machine.clock, timer, machine),
                new Random(number)));
    machine.tracker.start();
    run(Duration.ZERO);
    return machine.tracker;
  }

  JobTracker start(int number) {
    return start(number, Duration.ZERO);
  }

  /** Somebody sets the clock of a tracker's machine. */
  void step(int number, Duration by) {
    Machine machine = machine(number);
    machine.error = machine.error.plus(by);
  }

  /** The process stands still, and nothing reaches it; time goes on. */
  void stop(int number) {
    machine(number).stopped = true;
  }

  /** It goes on where it stood. */
  void goOn(int number) {
    Machine machine = machine(number);
    machine.stopped = false;
    machine.held.forEach(queue::execute);
    machine.held.clear();
  }

  /**
   * Closes a tracker as its machine does when it is told to. Its threads go on meanwhile, which is
   * what the closing waits for: whatever it hands them is done at once.
   */
  void close(int number) {
    machine(number).close();
  }

  void kill(int number) {
    stop(number);
    network.cut(ADDRESSES[number - 1]);
  }

  private Machine machine(int number) {
    return machines.get(ADDRESSES[number - 1]);
  }

  /** Lets this much time pass. */
  void run(Duration duration) {
    long end = world.millis() + duration.toMillis();
    queue.drain();
    while (timer.nextDueMillis().orElse(Long.MAX_VALUE) <= end && timer.runNext()) {
      queue.drain();
    }
    if (world.millis() < end) {
      timer.advanceTo(end);
    }
    queue.drain();
  }

  JobClient client() {
    return client;
  }

  Stores stores() {
    return stores;
  }

  Instant now() {
    return world.now();
  }

  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** The runs of what was planned for this time or later. */
  List<Run> runsSince(Instant since) {
    return runs.stream().filter(run -> !run.plannedFor().isBefore(since)).toList();
  }

  /** By name of the group, the address of its owner and its epoch. */
  Map<String, String> owners() {
    Map<String, String> owners = new TreeMap<>();
    for (NodeGroup group : stores.nodeGroups().all()) {
      owners.put(group.name(), addressOf(group) + " in " + group.epoch());
    }
    return owners;
  }

  /** How many groups each live tracker owns, by the order of the addresses. */
  List<Long> shares() {
    List<NodeGroup> groups = stores.nodeGroups().all();
    return stores.liveTrackers().at(world.millis()).stream()
        .map(
            tracker ->
                groups.stream()
                    .filter(g -> g.owner() != null && g.owner() == tracker.number())
                    .count())
        .toList();
  }

  private String addressOf(NodeGroup group) {
    return stores.liveTrackers().at(world.millis()).stream()
        .filter(tracker -> group.owner() != null && tracker.number() == group.owner())
        .map(TrackerStore.Tracker::address)
        .findFirst()
        .orElse("nobody");
  }

  /** Every row of the ledger, in order of id. */
  List<LedgerEntry> ledger() {
    return stores.ledger().readAfter(Long.MIN_VALUE, 10_000);
  }

  @Override
  public void close() {
    machines.values().forEach(Machine::close);
    database.close();
  }

  /** A machine with a clock that is wrong, and a process on it that can be stopped. */
  private final class Machine implements Clock, Executor {
    final DisciplinedClock clock = new DisciplinedClock(this);
    final Deque<Runnable> held = new ArrayDeque<>();
    final long bootedAt = world.nanoTime() - machines.size() * 1_000_000_007L;
    Duration error;
    boolean stopped;
    boolean closing;
    JobTracker tracker;

    Machine(Duration error) {
      this.error = error;
    }

    /** As the runtime of a tracker that stands on its own does. */
    private void follow() {
      clock.discipline(stores.time()::databaseNow);
      timer.schedule(DISCIPLINE_PERIOD, this, this::follow);
    }

    @Override
    public long millis() {
      return world.millis() + error.toMillis();
    }

    @Override
    public long nanoTime() {
      return world.nanoTime() - bootedAt;
    }

    @Override
    public void execute(Runnable task) {
      Runnable unlessStopped =
          () -> {
            if (stopped) {
              held.add(task);
            } else {
              task.run();
            }
          };
      if (closing) {
        unlessStopped.run();
      } else {
        queue.execute(unlessStopped);
      }
    }

    void close() {
      closing = true;
      tracker.close();
    }
  }

  private final class Reachability implements DeliveryPolicy {
    @Override
    public SimulatedDelivery decide(SimulatedFrame parcel, Random random) {
      return isStopped(parcel.from()) || isStopped(parcel.to())
          ? SimulatedDelivery.DROPPED
          : SimulatedDelivery.AT_ONCE;
    }

    @Override
    public boolean connects(String nodeId, String address) {
      return !isStopped(address);
    }

    private boolean isStopped(String name) {
      return Arrays.asList(ADDRESSES).contains(name)
          && machines.containsKey(name)
          && machines.get(name).stopped;
    }
  }
}
