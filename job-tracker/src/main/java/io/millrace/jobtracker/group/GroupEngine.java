package io.millrace.jobtracker.group;

import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.cluster.GroupTransfers;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.ServedGroup;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.engine.WakeUp;
import io.millrace.jobtracker.group.generate.GenerateTask;
import io.millrace.jobtracker.group.generate.TriggerGenerator;
import io.millrace.jobtracker.group.preload.BacklogReader;
import io.millrace.jobtracker.group.preload.MisfireSweep;
import io.millrace.jobtracker.group.preload.PreLoadDuty;
import io.millrace.jobtracker.group.preload.PreLoader;
import io.millrace.jobtracker.group.pull.Claimer;
import io.millrace.jobtracker.group.pull.LostExecutions;
import io.millrace.jobtracker.group.pull.OverlapGuard;
import io.millrace.jobtracker.group.pull.PullService;
import io.millrace.jobtracker.group.reconcile.GroupReconciler;
import io.millrace.jobtracker.group.reconcile.MissingTriggers;
import io.millrace.jobtracker.group.reconcile.OrphanTriggers;
import io.millrace.jobtracker.group.reconcile.Reconciled;
import io.millrace.jobtracker.group.reconcile.RunCountCheck;
import io.millrace.jobtracker.group.recover.Rescuer;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one node group from the take-over until the tracker leaves it: holds the head of its
 * waiting queue and the leases of its executions, and generates, preloads, assigns, rescues and
 * reconciles its triggers. Generation, preloading, recovery, adoption and reconciliation each run
 * by a timer of their own. Thread-safe.
 */
public final class GroupEngine implements GroupTransfers.Group, ServedGroup {
  private static final Logger LOG = LoggerFactory.getLogger(GroupEngine.class);

  /** The wait from a take-over to the first reconciliation: work is under way by then. */
  private static final Duration FIRST_RECONCILE = Duration.ofSeconds(10);

  /** The result of the last count. */
  private record Counted(Backlog backlog, int workers, long at) {
    static final Counted NEVER = new Counted(Backlog.NONE, 0, 0);
  }

  private final GroupMemory memory;
  private final ServiceConfig config;
  private final TimedExecutor time;
  private final EngineListener listener;
  private final int tracker;
  private final BooleanSupplier ownsForCertain;
  private final PullService pulls;
  private final PreLoader preLoader;
  private final Rescuer rescuer;
  private final BacklogReader backlogReader;
  private final WorkerStore workerStore;
  private final RepeatedTimer generate;
  private final RepeatedTimer preload;
  private final RepeatedTimer recover;
  private final RepeatedTimer adopt;
  private final RepeatedTimer reconcile;
  private volatile Timer.@Nullable Timeout firstReconcile;
  private volatile Counted counted = Counted.NEVER;

  /**
   * @param epoch the epoch of this tracker's ownership
   */
  public GroupEngine(String name, long epoch, GroupContext context) {
    EngineContext engine = context.engine();
    Stores stores = engine.stores();
    Timers timers = engine.timers();
    this.config = context.config();
    this.time = engine.time();
    this.listener = engine.listener();
    this.tracker = context.tracker();
    this.ownsForCertain = context.ownsForCertain();
    this.memory = memory(name, epoch, context);
    this.workerStore = stores.console().fleet().workers();
    this.backlogReader = new BacklogReader(name, stores.waiting(), memory.head());
    WakeUp loadSoon = new WakeUp();
    WakeUp generateSoon = new WakeUp();
    this.pulls = pulls(memory, context, loadSoon);
    this.preLoader = preLoader(memory, context, pulls, generateSoon);
    Duration scan = config.workerLease().dividedBy(8);
    this.rescuer = rescuer(memory, context, scan);
    this.preload =
        timers.timer(
            "preload " + name,
            Pace.every(config.preloadPeriod()),
            loadSoon,
            new PreLoadDuty(preLoader, memory, time, config.preloadPeriod(), listener));
    this.generate =
        timers.timer(
            "generate " + name,
            Pace.every(GenerateTask.PERIOD),
            generateSoon,
            new GenerateTask(generator(name, engine), time, generateSoon));
    Rescuer rescues = rescuer;
    this.recover =
        timers.timer(
            "recover " + name,
            Pace.exactly(scan),
            Duty.counting("executions rescued", now -> rescues.runOnce()));
    this.adopt =
        timers.timer(
            "adopt executions of " + name,
            Pace.every(config.workerLease()),
            Duty.counting("executions adopted", rescues::adoptStrays));
    GroupReconciler reconciler = reconciler(name, context, generateSoon);
    this.reconcile =
        timers.timer(
            "reconcile " + name,
            Pace.every(config.reconcilePeriod()),
            now -> {
              Reconciled done = reconciler.runOnce(now);
              return done.isNothing() ? null : done;
            });
  }

  private static GroupMemory memory(String name, long epoch, GroupContext context) {
    ServiceConfig config = context.config();
    return new GroupMemory(
        name,
        epoch,
        new WaitingHead(
            config.dequeCapacity(),
            config.dequeBytes(),
            config.aheadCapacity(),
            context.engine().planner().limits().misfireThreshold(),
            config.priorityOrder()),
        new LeaseTable(config.workerLease().toMillis(), config.timeoutGrace().toMillis()));
  }

  private static PullService pulls(GroupMemory memory, GroupContext context, WakeUp loadSoon) {
    EngineContext engine = context.engine();
    ServiceConfig config = context.config();
    OverlapGuard turns =
        new OverlapGuard(engine.stores().jobs(), recorder(engine), chained(engine), engine.ids());
    Claimer claimer =
        new Claimer(
            engine.stores(),
            context.definitions(),
            turns,
            engine.ids(),
            context.codec(),
            engine.signals());
    return new PullService(
        memory,
        claimer,
        context.ends(),
        new LostExecutions(memory, engine.stores().executing(), engine.time()),
        engine.time(),
        new PullService.Waits(config.parkTime(), config.claimAhead()),
        new PullService.Surroundings(context.ownsForCertain(), loadSoon::wake, engine.listener()));
  }

  private static PreLoader preLoader(
      GroupMemory memory, GroupContext context, PullService pulls, WakeUp generateSoon) {
    EngineContext engine = context.engine();
    MisfireSweep sweep =
        new MisfireSweep(
            memory.name(),
            engine.stores(),
            engine.planner(),
            recorder(engine),
            chained(engine),
            engine.ids(),
            engine.signals(),
            generateSoon::wake);
    return new PreLoader(
        memory.name(),
        engine.stores().waiting(),
        memory.head(),
        sweep,
        engine.time(),
        context.config().lookAhead(),
        context.config().claimAhead(),
        pulls::dispatch);
  }

  private static TriggerGenerator generator(String name, EngineContext engine) {
    return new TriggerGenerator(
        name, engine.stores(), engine.planner(), recorder(engine), engine.ids(), engine.signals());
  }

  private static Rescuer rescuer(GroupMemory memory, GroupContext context, Duration period) {
    EngineContext engine = context.engine();
    return new Rescuer(
        memory,
        engine.stores().executing(),
        context.ends(),
        engine.time(),
        period.toMillis(),
        context.config().workerLease().toMillis());
  }

  private static GroupReconciler reconciler(
      String name, GroupContext context, WakeUp generateSoon) {
    EngineContext engine = context.engine();
    Stores stores = engine.stores();
    HeldTriggers held = new HeldTriggers(stores.jobs(), stores.waiting(), engine.ids());
    MissingTriggers.Options options =
        new MissingTriggers.Options(
            context.config().reconcilePeriod().multipliedBy(2), generateSoon::wake);
    return new GroupReconciler(
        name,
        stores,
        new OrphanTriggers(name, stores, recorder(engine), engine.ids(), engine.signals()),
        new MissingTriggers(
            name, stores, engine.planner(), engine.ids(), engine.signals(), options),
        new RunCountCheck(name, stores, held, engine.signals()),
        GroupReconciler.Pages.DEFAULT);
  }

  private static CompletionRecorder recorder(EngineContext engine) {
    return new CompletionRecorder(engine.stores(), engine.ids());
  }

  private static ChainedTriggers chained(EngineContext engine) {
    return new ChainedTriggers(engine.stores().jobs(), engine.planner(), engine.ids());
  }

  /** Adopts the executions and loads the draining workers before any pull arrives; then starts. */
  @Override
  public void start() {
    rescuer.adoptAll();
    pulls.drain(workerStore.draining(name(), WorkerStore.MOST_DRAINS));
    adopt.start();
    reconcile.start();
    firstReconcile = time.schedule(FIRST_RECONCILE, reconcile::wake);
    List.of(generate, preload, recover)
        .forEach(
            timer -> {
              timer.start();
              timer.wake();
            });
    listener.groupServed(this);
  }

  // Calls from workers and other parts of the tracker.

  /** Answers a worker's pull, when there is work or the park time is over. */
  public CompletableFuture<PullReply> pull(Peer worker, PullRequest request) {
    return pulls.pull(worker, request);
  }

  /** A connection of a worker is closed. */
  public void disconnected(Peer worker) {
    pulls.disconnected(worker);
  }

  /** Triggers were stored elsewhere: loads at once if one falls due within the look-ahead. */
  public void triggersStored(long earliestDueAt) {
    if (earliestDueAt <= time.millis() + config.lookAhead().toMillis()) {
      memory.head().wantFullLoad();
      preload.wake();
    }
  }

  /**
   * Adds triggers that were just committed here, without reading them back. They are in the store:
   * if the addition fails, the next load finds them.
   */
  public void triggersStored(List<WaitingTrigger> rows) {
    try {
      preLoader.enter(rows, time.millis());
    } catch (RuntimeException e) {
      LOG.warn(
          "{} stored triggers of {} do not fit in memory and are left to the next load",
          rows.size(),
          name(),
          e);
      memory.head().wantFullLoad();
    }
    if (memory.head().wantsLoad()) {
      preload.wake();
    }
  }

  /** Executions have ended: their leases are over. */
  public void executionsEnded(Collection<Long> executionIds) {
    memory.leases().end(executionIds);
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
    counted = new Counted(backlogReader.read(now), workers, now);
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
        memory.head().isBlind(),
        !ownsForCertain.getAsBoolean(),
        Set.copyOf(pulls.workers().draining()));
  }

  /** Whether any worker pulls here. */
  public boolean hasWorkers() {
    return pulls.workers().areConnected();
  }

  @Override
  public List<Worker> workers() {
    return pulls.workers().list(name(), tracker);
  }

  @Override
  public void drain(List<Drain> workers) {
    pulls.drain(workers);
  }

  @Override
  public void forget(Worker disconnected) {
    pulls.workers().forget(disconnected);
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
    Timer.Timeout first = firstReconcile;
    if (first != null) {
      first.cancel();
    }
    return CompletableFuture.allOf(
        generate.destroy(),
        preload.destroy(),
        recover.destroy(),
        adopt.destroy(),
        reconcile.destroy());
  }

  @Override
  public void close(@Nullable String owner) {
    listener.groupLeft(this);
    pulls.close(owner);
  }
}
