package io.millrace.torture.nemesis;

import io.millrace.internal.time.Clock;
import io.millrace.torture.nemesis.Victim.Part;
import io.millrace.torture.network.Direction;
import io.millrace.torture.network.TcpProxy;
import io.millrace.torture.node.Node;
import io.millrace.torture.process.Cluster;
import io.millrace.torture.process.TrackerNode;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Injects the faults of a plan into a cluster, reports them, and records them. Heals every fault
 * that it injects, even after an error. Thread-safe.
 */
public final class Nemesis {
  private static final Duration DELAY = Duration.ofMillis(40);

  /**
   * The maximum delay of a fault; later faults would accumulate and last beyond the end of the
   * load.
   */
  private static final Duration LATE = Duration.ofSeconds(3);

  private final Map<Victim, Node> nodes = new LinkedHashMap<>();
  private final Map<Victim, TcpProxy> wires = new LinkedHashMap<>();
  private final Map<Victim, Lock> locks = new HashMap<>();
  private final FaultLog log;
  private final ScheduledExecutorService threads;
  private final Clock clock;
  private final Consumer<String> reporter;

  /**
   * @param threads at least four, so that no fault waits for another to heal
   * @param clock determines when faults begin and end
   * @param log records the faults
   * @param reporter receives a message for each action
   */
  public Nemesis(
      Cluster cluster,
      ScheduledExecutorService threads,
      Clock clock,
      FaultLog log,
      Consumer<String> reporter) {
    this.log = log;
    this.threads = threads;
    this.clock = clock;
    this.reporter = reporter;
    int number = 1;
    for (TrackerNode tracker : cluster.trackers()) {
      nodes.put(new Victim(Part.TRACKER, number), tracker.process());
      wires.put(new Victim(Part.TRACKER_LINK, number), tracker.door());
      number++;
    }
    int link = 1;
    for (TrackerNode tracker : cluster.trackers()) {
      for (TcpProxy wire : tracker.databases()) {
        wires.put(new Victim(Part.DATABASE_LINK, link++), wire);
      }
    }
    number(Part.WORKER, cluster.workers());
    number(Part.CLIENT, cluster.clients());
    number(Part.DATABASE, cluster.databases());
    Lock database = new ReentrantLock();
    nodes
        .keySet()
        .forEach(
            victim ->
                // One lock for all nodes, because only two of three nodes are a majority.
                locks.put(victim, victim.part() == Part.DATABASE ? database : new ReentrantLock()));
    wires.keySet().forEach(victim -> locks.put(victim, new ReentrantLock()));
  }

  private void number(Part part, List<Node> these) {
    for (int i = 0; i < these.size(); i++) {
      nodes.put(new Victim(part, i + 1), these.get(i));
    }
  }

  /** Returns the number of each part that can be affected. */
  public Map<Part, Integer> parts() {
    Map<Part, Integer> parts = new EnumMap<>(Part.class);
    nodes.keySet().forEach(victim -> parts.merge(victim.part(), 1, Integer::sum));
    wires.keySet().forEach(victim -> parts.merge(victim.part(), 1, Integer::sum));
    return parts;
  }

  /**
   * Injects all faults of the plan; completes when all are healed.
   *
   * @param begunAgo the time since the begin of the run
   */
  public CompletableFuture<Void> run(List<PlannedFault> plan, Duration begunAgo) {
    return CompletableFuture.allOf(
        plan.stream()
            .map(fault -> hurt(fault, fault.at().minus(begunAgo)))
            .toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> hurt(PlannedFault fault, Duration in) {
    CompletableFuture<Void> mended = new CompletableFuture<>();
    long dueAt = System.nanoTime() + in.toNanos();
    threads.schedule(
        () -> {
          try {
            hurt(fault, dueAt);
            mended.complete(null);
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            mended.completeExceptionally(stopped);
          } catch (RuntimeException e) {
            mended.completeExceptionally(
                new IllegalStateException(fault.kind() + " of " + fault.victim() + " failed", e));
          }
        },
        Math.max(0, in.toMillis()),
        TimeUnit.MILLISECONDS);
    return mended;
  }

  /**
   * Injects a fault. Only one fault at a time affects a victim, even if an earlier one is healed
   * late.
   */
  private void hurt(PlannedFault fault, long dueAt) throws InterruptedException {
    Lock own = Objects.requireNonNull(locks.get(fault.victim()), fault.victim()::toString);
    own.lockInterruptibly();
    try {
      if (System.nanoTime() - dueAt > LATE.toNanos()) {
        reporter.accept(
            "skipped, because others took too long: " + fault.kind() + " " + fault.victim());
      } else {
        hurtAlone(fault);
      }
    } finally {
      own.unlock();
    }
  }

  private void hurtAlone(PlannedFault fault) throws InterruptedException {
    long begin = clock.millis();
    reporter.accept(
        "%s %s%s for %d ms"
            .formatted(
                fault.kind(),
                fault.victim(),
                isOneWay(fault) ? ", one way," : "",
                fault.lasts().toMillis()));
    try {
      harm(fault);
      Thread.sleep(fault.lasts().toMillis());
    } finally {
      mend(fault);
      log.add(new Fault(fault.kind(), fault.victim(), begin, clock.millis()));
    }
    reporter.accept("healed: " + fault.kind() + " " + fault.victim());
  }

  private static boolean isOneWay(PlannedFault fault) {
    return fault.oneWay()
        && (fault.kind() == Fault.Kind.BLACK_HOLE || fault.kind() == Fault.Kind.HOLD);
  }

  private void harm(PlannedFault fault) throws InterruptedException {
    switch (fault.kind()) {
      case KILL -> node(fault).kill();
      case RESTART -> stop(fault);
      case STOP_CUT_SHORT -> cutStopShort(fault);
      case START_CUT_SHORT -> cutStartShort(fault);
      case FREEZE -> node(fault).freeze();
      case CUT -> wire(fault).cut();
      case BLACK_HOLE -> wire(fault).blackHole(directions(fault));
      case HOLD -> wire(fault).hold(directions(fault));
      case DELAY -> wire(fault).delay(DELAY);
      case STALL -> throw new IllegalArgumentException("a stall is observed, not injected");
    }
  }

  private void mend(PlannedFault fault) {
    switch (fault.kind()) {
      case KILL, RESTART, STOP_CUT_SHORT, START_CUT_SHORT -> node(fault).start();
      case FREEZE -> node(fault).thaw();
      case CUT, BLACK_HOLE, HOLD, DELAY -> wire(fault).restore();
      case STALL -> throw new IllegalArgumentException("a stall ends by itself");
    }
  }

  private void stop(PlannedFault fault) {
    if (!node(fault).stop()) {
      reporter.accept(fault.victim() + " did not end in time and was killed");
    }
  }

  private void cutStopShort(PlannedFault fault) {
    if (!node(fault).stopCutShort(fault.moment())) {
      reporter.accept(fault.victim() + " exited before it could be killed");
    }
  }

  private void cutStartShort(PlannedFault fault) throws InterruptedException {
    Node node = node(fault);
    stop(fault);
    node.start();
    Thread.sleep(fault.ofStart().toMillis());
    node.kill();
  }

  private static Direction[] directions(PlannedFault fault) {
    return isOneWay(fault) ? new Direction[] {Direction.FROM_TARGET} : Direction.values();
  }

  private Node node(PlannedFault fault) {
    return Objects.requireNonNull(nodes.get(fault.victim()), fault.victim()::toString);
  }

  private TcpProxy wire(PlannedFault fault) {
    return Objects.requireNonNull(wires.get(fault.victim()), fault.victim()::toString);
  }
}
