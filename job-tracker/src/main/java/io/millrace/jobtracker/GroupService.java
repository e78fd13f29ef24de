package io.millrace.jobtracker;

import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.domain.explain.GroupView;
import io.millrace.jobtracker.domain.lease.ServedGroup;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fleet.FleetReport;
import io.millrace.jobtracker.generate.TriggerGenerator;
import io.millrace.jobtracker.preload.BacklogReader;
import io.millrace.jobtracker.preload.PreLoadDuty;
import io.millrace.jobtracker.preload.PreLoader;
import io.millrace.jobtracker.pull.PullDesk;
import io.millrace.jobtracker.reconcile.GroupReconciler;
import io.millrace.jobtracker.reconcile.Reconciled;
import io.millrace.jobtracker.recover.Rescuer;
import io.millrace.jobtracker.store.WorkerStore;
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
 * The rooms that serve one node group, from taking it over until leaving it: generate, preload,
 * pull, recover and reconcile, each with its timer. Thread-safe.
 */
final class GroupService {
  private static final Logger LOG = LoggerFactory.getLogger(GroupService.class);
  private static final Duration GENERATE_PERIOD = Duration.ofSeconds(5);

  /** After a group was taken over, once its work is under way. */
  private static final Duration FIRST_RECONCILE = Duration.ofSeconds(10);

  /** Between two runs of the generator, so that a job it cannot serve does not make it spin. */
  private static final Duration SHORTEST_GENERATE_WAIT = Duration.ofMillis(50);

  private final ServedGroup group;
  private final BooleanSupplier ownsForCertain;
  private final Rescuer rescuer;
  private final PullDesk desk;
  private final PreLoader preLoader;
  private final BacklogReader backlogReader;
  private final GroupState state;
  private final WorkerStore drainedWorkers;
  private final RepeatedTimer generate;
  private final RepeatedTimer preload;
  private final RepeatedTimer recover;
  private final RepeatedTimer adopt;
  private final RepeatedTimer reconcile;
  private final ServiceConfig config;
  private final TimedExecutor time;
  private volatile Timer.@Nullable Timeout sooner;
  private volatile Timer.@Nullable Timeout firstReconcile;

  /**
   * @param ownsForCertain whether the tracker may go by what it last knew of its ownership
   */
  GroupService(ServedGroup group, TrackerRooms rooms, BooleanSupplier ownsForCertain) {
    this.group = group;
    this.ownsForCertain = ownsForCertain;
    this.config = rooms.config();
    this.time = rooms.time();
    this.desk = rooms.pullDesk(group, ownsForCertain, this::wakePreload);
    this.preLoader = rooms.preLoader(group, desk::dispatch, this::wakeGenerate);
    this.backlogReader = rooms.backlogReader(group);
    this.state = new GroupState(desk, group.leases());
    this.drainedWorkers = rooms.stores().console().fleet().workers();
    TriggerGenerator generator = rooms.generator(group);
    Duration scan = config.workerLease().dividedBy(8);
    this.rescuer = rooms.rescuer(group, scan);
    this.preload =
        rooms.timer(
            "preload " + group.name(),
            Pace.every(config.preloadPeriod()),
            rooms.timed(
                new PreLoadDuty(preLoader, group.head(), time, config.preloadPeriod()),
                nanos -> rooms.metrics().loaded(group.name(), nanos)));
    this.generate =
        rooms.timer(
            "generate " + group.name(),
            Pace.every(GENERATE_PERIOD),
            now -> {
              TriggerGenerator.Generated done = generator.runOnce(now);
              generator.nextRun().ifPresent(next -> generateAgain(next - now));
              return done.isNothing() ? null : done;
            });
    this.recover =
        rooms.timer(
            "recover " + group.name(),
            Pace.exactly(scan),
            Duty.counting("executions rescued", now -> rescuer.runOnce()));
    this.adopt =
        rooms.timer(
            "adopt executions of " + group.name(),
            Pace.every(config.workerLease()),
            Duty.counting("executions adopted", rescuer::adoptStrays));
    GroupReconciler reconciler = rooms.reconciler(group, generate::wake);
    this.reconcile =
        rooms.timer(
            "reconcile " + group.name(),
            Pace.every(config.reconcilePeriod()),
            now -> {
              Reconciled done = reconciler.runOnce(now);
              return done.isNothing() ? null : done;
            });
  }

  /**
   * Jobs that fire often have their next triggers due before the period is over. Called by the duty
   * alone, which never overlaps itself.
   */
  private void generateAgain(long inMillis) {
    Timer.Timeout before = sooner;
    if (before != null) {
      before.cancel();
    }
    if (inMillis < GENERATE_PERIOD.toMillis()) {
      Duration wait = Duration.ofMillis(Math.max(inMillis, SHORTEST_GENERATE_WAIT.toMillis()));
      sooner = time.schedule(wait, generate::wake);
    }
  }

  /** Adopts what is executing, and heeds who drains, before any pull is heard; then begins. */
  void start() {
    rescuer.adoptAll();
    desk.drain(drainedWorkers.draining(group.name(), FleetReport.MOST_DRAINS));
    adopt.start();
    reconcile.start();
    firstReconcile = time.schedule(FIRST_RECONCILE, reconcile::wake);
    List.of(generate, preload, recover)
        .forEach(
            timer -> {
              timer.start();
              timer.wake();
            });
  }

  CompletableFuture<PullReply> pull(Peer worker, PullRequest request) {
    return desk.pull(worker, request);
  }

  void disconnected(Peer worker) {
    desk.disconnected(worker);
  }

  /** Loads at once what falls due before the timer would find it. */
  void triggersStored(long earliestDueAt, long now) {
    if (earliestDueAt <= now + config.lookAhead().toMillis()) {
      group.head().wantFullLoad();
      preload.wake();
    }
  }

  /**
   * Takes in what was just committed, without reading it back. It is stored: whatever goes wrong
   * here, the next load finds it.
   */
  void triggersStored(List<WaitingTrigger> rows, long now) {
    try {
      preLoader.enter(rows, now);
    } catch (RuntimeException e) {
      LOG.warn("{} triggers stored for {} are left to the next load", rows.size(), group.name(), e);
      group.head().wantFullLoad();
    }
    if (group.head().wantsLoad()) {
      preload.wake();
    }
  }

  /**
   * What operators are told of the group.
   *
   * @param tracker number of this tracker
   */
  GroupReport report(int tracker) {
    return new GroupReport(group.name(), tracker, desk, state);
  }

  /** What gauges tell of the group. */
  GroupState state() {
    return state;
  }

  boolean hasWorkers() {
    return desk.workers().areConnected();
  }

  /** Counts what gauges tell and memory does not know. */
  void measure(int workers, long now) {
    state.counted(backlogReader.read(now), workers, now);
  }

  /** What explanations tell of the group, given which workers are connected. */
  GroupView view(Set<String> workers) {
    return new GroupView(
        workers,
        desk.freeSlots(),
        group.head().isBlind(),
        !ownsForCertain.getAsBoolean(),
        Set.copyOf(desk.workers().draining()));
  }

  void executionsEnded(Collection<Long> executionIds) {
    group.leases().end(executionIds);
  }

  void stopRequested(Collection<Long> executionIds) {
    group.leases().requestStop(executionIds);
    desk.tellStop(executionIds);
  }

  void terminated(Collection<Long> executionIds) {
    group.leases().terminate(executionIds);
    desk.tellStop(executionIds);
  }

  /** Claims no more; completes when no claim is under way. */
  CompletableFuture<Void> pause() {
    return desk.pause();
  }

  /** Claims again. */
  void resume() {
    desk.resume();
  }

  /** Hands out what is due, after a while in which it could not. */
  void dispatch() {
    desk.dispatch();
  }

  /** Answers the parked pulls, and all that come, with where the group is served now. */
  void close(@Nullable String owner) {
    desk.close(owner);
  }

  /** Ends its duties and lets runs under way finish. Pulls are parked until it is closed. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> unused = desk.pause();
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

  private void wakePreload() {
    preload.wake();
  }

  private void wakeGenerate() {
    generate.wake();
  }
}
