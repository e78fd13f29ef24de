package io.millrace.jobtracker;

import io.millrace.common.codec.Codec;
import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.EndRecorder;
import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.lease.ServedGroup;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.generate.TriggerGenerator;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.preload.BacklogReader;
import io.millrace.jobtracker.preload.MisfireSweep;
import io.millrace.jobtracker.preload.PreLoader;
import io.millrace.jobtracker.pull.Claimer;
import io.millrace.jobtracker.pull.JobDefinitions;
import io.millrace.jobtracker.pull.LostExecutions;
import io.millrace.jobtracker.pull.PullDesk;
import io.millrace.jobtracker.pull.TurnKeeper;
import io.millrace.jobtracker.reconcile.GroupReconciler;
import io.millrace.jobtracker.reconcile.MissingTriggers;
import io.millrace.jobtracker.reconcile.StrayTriggers;
import io.millrace.jobtracker.reconcile.TurnCounts;
import io.millrace.jobtracker.recover.Rescuer;
import io.millrace.jobtracker.signal.ExecutionEnds;
import io.millrace.jobtracker.signal.Measures;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * Makes the rooms of a node group out of what the tracker's rooms share.
 *
 * @param config how groups are served
 * @param stores what is kept
 * @param codec reads stored parameters
 * @param ids issues ids
 * @param time clock, timer and executor
 * @param random spreads timers
 * @param planner plans triggers
 * @param signals wakes rooms
 * @param ends ends executions
 * @param definitions kept definitions of jobs
 * @param metrics what is measured
 * @param measures told what rooms do: the metrics, and whoever else watches
 */
record TrackerRooms(
    ServiceConfig config,
    Stores stores,
    Codec codec,
    IdSequence ids,
    TimedExecutor time,
    RandomGenerator random,
    JobPlanner planner,
    Signals signals,
    ExecutionEnds ends,
    JobDefinitions definitions,
    TrackerMetrics metrics,
    Measures measures) {

  ServedGroup group(String name, long epoch) {
    return new ServedGroup(
        name,
        epoch,
        new WaitingHead(
            config.dequeCapacity(),
            config.dequeBytes(),
            config.aheadCapacity(),
            planner.limits().misfireThreshold(),
            config.priorityOrder()),
        new LeaseTable(config.workerLease().toMillis(), config.timeoutGrace().toMillis()));
  }

  /**
   * @param ownsForCertain whether the tracker may go by what it last knew of its ownership
   * @param onLow called when the deque runs low
   */
  PullDesk pullDesk(ServedGroup group, BooleanSupplier ownsForCertain, Runnable onLow) {
    TurnKeeper turns = new TurnKeeper(stores.jobs(), recorder(), chained(), ids);
    Claimer claimer = new Claimer(stores, definitions, turns, ids, codec, signals);
    return new PullDesk(
        group,
        claimer,
        ends,
        new LostExecutions(group, stores.executing(), time),
        time,
        new PullDesk.Waits(config.parkTime(), config.claimAhead()),
        new PullDesk.Surroundings(ownsForCertain, onLow, measures));
  }

  PreLoader preLoader(ServedGroup group, Runnable onDue, Runnable onLag) {
    MisfireSweep sweep =
        new MisfireSweep(group.name(), stores, planner, recorder(), chained(), ids, signals, onLag);
    return new PreLoader(
        group.name(),
        stores.waiting(),
        group.head(),
        sweep,
        time,
        config.lookAhead(),
        config.claimAhead(),
        onDue);
  }

  BacklogReader backlogReader(ServedGroup group) {
    return new BacklogReader(group.name(), stores.waiting(), group.head());
  }

  /** The same duty, with the time of each run told. */
  Duty timed(Duty duty, LongConsumer nanos) {
    return now -> {
      long begun = time.clock().nanoTime();
      Object done = duty.runOnce(now);
      nanos.accept(time.clock().nanoTime() - begun);
      return done;
    };
  }

  TriggerGenerator generator(ServedGroup group) {
    return new TriggerGenerator(group.name(), stores, planner, recorder(), ids, signals);
  }

  Rescuer rescuer(ServedGroup group, Duration period) {
    return new Rescuer(
        group, stores.executing(), ends, time, period.toMillis(), config.workerLease().toMillis());
  }

  /**
   * @param onGenerate called when the generator has something to do
   */
  GroupReconciler reconciler(ServedGroup group, Runnable onGenerate) {
    HeldTriggers held = new HeldTriggers(stores.jobs(), stores.waiting(), ids);
    return new GroupReconciler(
        group.name(),
        stores,
        new StrayTriggers(group.name(), stores, recorder(), ids, signals),
        new MissingTriggers(
            group.name(),
            stores,
            planner,
            ids,
            signals,
            new MissingTriggers.Options(config.reconcilePeriod().multipliedBy(2), onGenerate)),
        new TurnCounts(group.name(), stores, held, signals),
        GroupReconciler.Pages.DEFAULT);
  }

  RepeatedTimer timer(String name, Pace pace, Duty duty) {
    return new RepeatedTimer(name, time.timer(), time.executor(), time.clock(), pace, random, duty);
  }

  private EndRecorder recorder() {
    return new EndRecorder(stores, ids);
  }

  private ChainedTriggers chained() {
    return new ChainedTriggers(stores.jobs(), planner, ids);
  }
}
