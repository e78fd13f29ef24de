package io.millrace.jobtracker.group;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.group.batch.BatchTask;
import io.millrace.jobtracker.group.batch.LostWorkersTask;
import io.millrace.jobtracker.group.generate.GenerateTask;
import io.millrace.jobtracker.group.reconcile.Reconciled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one served node group: generation, preloading, recovery, adoption, reconciliation,
 * and what concerns split runs each run by a timer of their own. Thread-safe.
 */
final class GroupTimers {
  /** The wait from a take-over to the first reconciliation: work is under way by then. */
  private static final Duration FIRST_RECONCILE = Duration.ofSeconds(10);

  private final TimedExecutor time;
  private final RepeatedTimer generate;
  private final RepeatedTimer preload;
  private final RepeatedTimer recover;
  private final RepeatedTimer adopt;
  private final RepeatedTimer reconcile;
  private final RepeatedTimer batches;
  private final RepeatedTimer lostWorkers;
  private volatile Timer.@Nullable Timeout firstReconcile;

  GroupTimers(GroupParts parts, GroupContext context) {
    EngineContext engine = context.engine();
    ServiceConfig config = context.config();
    Timers timers = engine.timers();
    String name = parts.memory().name();
    this.time = engine.time();
    this.preload =
        timers.timer(
            "preload " + name,
            Pace.every(config.preload().period()),
            parts.loadSoon(),
            parts.preLoads());
    this.generate =
        timers.timer(
            "generate " + name,
            Pace.every(GenerateTask.PERIOD),
            parts.generateSoon(),
            new GenerateTask(parts.generator(), time, parts.generateSoon()));
    this.recover =
        timers.timer(
            "recover " + name,
            Pace.exactly(recoverPeriod(config)),
            Duty.counting("executions rescued", now -> parts.rescuer().runOnce()));
    this.adopt =
        timers.timer(
            "adopt executions of " + name,
            Pace.every(config.workers().lease()),
            Duty.counting("executions adopted", parts.rescuer()::adoptStrays));
    this.reconcile =
        timers.timer(
            "reconcile " + name,
            Pace.every(config.reconcilePeriod()),
            now -> reconcile(parts, now));
    this.batches =
        timers.timer(
            "batches of " + name,
            Pace.every(BatchTask.PERIOD),
            parts.batchesSoon(),
            parts.batches());
    this.lostWorkers =
        timers.timer(
            "lost workers of " + name, Pace.every(LostWorkersTask.PERIOD), parts.lostWorkers());
  }

  /** The time between two searches for leases that have run out. */
  static Duration recoverPeriod(ServiceConfig config) {
    return config.workers().lease().dividedBy(8);
  }

  private static @Nullable Reconciled reconcile(GroupParts parts, long now) {
    Reconciled done = parts.reconciler().runOnce(now);
    return done.isNothing() ? null : done;
  }

  /** Starts the timers; the first generation, load and recovery run at once. */
  void start() {
    adopt.start();
    reconcile.start();
    lostWorkers.start();
    firstReconcile = time.schedule(FIRST_RECONCILE, reconcile::wake);
    List.of(generate, preload, recover, batches)
        .forEach(
            timer -> {
              timer.start();
              timer.wake();
            });
  }

  /** Stops the timers; completes when the runs under way have ended. */
  CompletableFuture<Void> stop() {
    Timer.cancel(firstReconcile);
    return CompletableFuture.allOf(
        generate.destroy(),
        preload.destroy(),
        recover.destroy(),
        adopt.destroy(),
        reconcile.destroy(),
        batches.destroy(),
        lostWorkers.destroy());
  }
}
