package io.millrace.jobtracker.group;

import io.millrace.jobtracker.cluster.GroupTransfers;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.engine.ServedGroup;
import io.millrace.jobtracker.group.batch.BatchTask;
import io.millrace.jobtracker.group.preload.BacklogReader;
import io.millrace.jobtracker.group.preload.LanePreLoads;
import io.millrace.jobtracker.group.pull.PullService;
import io.millrace.jobtracker.group.recover.Rescuer;
import io.millrace.jobtracker.group.worker.BoundWorkers;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Serves one node group from the take-over until the tracker leaves it: holds the head of its
 * waiting queue and the leases of its executions, and generates, preloads, assigns, rescues and
 * reconciles its triggers. Thread-safe.
 */
public final class GroupEngine implements GroupTransfers.Group, ServedGroup {
  /** The result of the last count. */
  private record Counted(Backlog backlog, Map<Lane, Long> dueByLane, int workers, long at) {
    static final Counted NEVER = new Counted(Backlog.NONE, Map.of(), 0, 0);
  }

  private final GroupMemory memory;
  private final BoundWorkers bound;
  private final PullService pulls;
  private final LanePreLoads preLoads;
  private final Rescuer rescuer;
  private final GroupTimers timers;
  private final BatchTask batches;
  private final GroupContext context;
  private final BacklogReader backlogReader;
  private final WorkerStore workerStore;
  private volatile Counted counted = Counted.NEVER;

  /**
   * @param epoch the epoch of this tracker's ownership
   */
  public GroupEngine(String name, long epoch, GroupContext context) {
    GroupParts parts = GroupParts.of(name, epoch, context);
    Stores stores = context.engine().stores();
    this.memory = parts.memory();
    this.bound = parts.bound();
    this.pulls = parts.pulls();
    this.preLoads = parts.preLoads();
    this.rescuer = parts.rescuer();
    this.batches = parts.batches();
    this.timers = new GroupTimers(parts, context);
    this.context = context;
    this.backlogReader = new BacklogReader(name, stores.waiting(), memory.heads());
    this.workerStore = stores.console().fleet().workers();
  }

  /** Adopts the executions and loads the draining workers before any pull arrives; then starts. */
  @Override
  public void start() {
    rescuer.adoptAll();
    pulls.drain(workerStore.draining(name(), WorkerStore.MOST_DRAINS));
    timers.start();
    context.engine().listener().groupServed(this);
  }

  // Parts that workers and other parts of the tracker call, and what concerns several of them.

  /** Receives the pulls of the group's workers. */
  public PullService pulls() {
    return pulls;
  }

  /** Loads the head of the waiting queue, and takes in what was committed here. */
  LanePreLoads preLoads() {
    return preLoads;
  }

  /** Ends runs that were split, and releases their parts. */
  BatchTask batches() {
    return batches;
  }

  /** The leases of the group's executions. */
  LeaseTable leases() {
    return memory.leases();
  }

  /** Executions were asked to stop. */
  public void stopRequested(Collection<Long> executionIds) {
    memory.leases().requestStop(executionIds);
    pulls.notifyStop(executionIds);
  }

  /** Executions were terminated. */
  public void terminated(Collection<Long> executionIds) {
    memory.leases().terminate(executionIds);
    pulls.notifyStop(executionIds);
  }

  // State that other parts of the tracker read.

  @Override
  public String name() {
    return memory.name();
  }

  /** Counts the values that {@link #stats} returns and memory does not hold. */
  void count(int workers, long now) {
    counted = new Counted(backlogReader.read(now), backlogReader.readLanes(now), workers, now);
    if (!counted.dueByLane().isEmpty()) {
      context.engine().listener().lanesCounted(this);
    }
  }

  @Override
  public GroupStats stats() {
    Counted last = counted;
    return new GroupStats(
        last.backlog(),
        last.at(),
        last.workers(),
        pulls.freeSlots(),
        memory.leases().size(),
        memory.heads().isBlind(),
        !context.ownsForCertain().getAsBoolean(),
        Set.copyOf(pulls.workers().draining()),
        batches.stats(),
        last.dueByLane());
  }

  /** The workers that a due broadcast waits for before it begins; none if there is no such one. */
  public Set<String> awaited() {
    return bound.awaited();
  }

  /** Whether any worker pulls here. */
  public boolean hasWorkers() {
    return pulls.workers().areConnected();
  }

  @Override
  public List<Worker> workers() {
    return pulls.workers().list(name(), context.tracker());
  }

  @Override
  public void drain(List<Drain> workers) {
    pulls.drain(workers);
  }

  @Override
  public void forget(Worker disconnected) {
    long lease = context.config().workers().lease().toMillis();
    pulls.workers().forget(disconnected, context.engine().time().monotonicMillis() - lease);
  }

  // Interruption and end of service.

  @Override
  public CompletableFuture<Void> pause() {
    return pulls.pause();
  }

  @Override
  public void resume() {
    pulls.resume();
  }

  @Override
  public void dispatch() {
    pulls.dispatch();
  }

  /** Stops claims and timers; runs under way finish. Pulls are parked until {@link #close}. */
  @Override
  public CompletableFuture<Void> stop() {
    CompletableFuture<Void> unused = pulls.pause();
    return timers.stop();
  }

  @Override
  public void close(@Nullable String owner) {
    context.engine().listener().groupLeft(this);
    pulls.close(owner);
  }
}
