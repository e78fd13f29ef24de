package io.millrace.jobtracker.group;

import io.millrace.jobtracker.batch.BatchEnder;
import io.millrace.jobtracker.batch.LostParts;
import io.millrace.jobtracker.batch.PartRelease;
import io.millrace.jobtracker.batch.PartWithdrawal;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.batch.StagedRemains;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.lease.GapDetector;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.WakeUp;
import io.millrace.jobtracker.group.batch.BatchTask;
import io.millrace.jobtracker.group.batch.LostWorkersTask;
import io.millrace.jobtracker.group.generate.TriggerGenerator;
import io.millrace.jobtracker.group.preload.BoundLoad;
import io.millrace.jobtracker.group.preload.LanePreLoads;
import io.millrace.jobtracker.group.preload.MisfireSweep;
import io.millrace.jobtracker.group.preload.PreLoadDuty;
import io.millrace.jobtracker.group.preload.PreLoader;
import io.millrace.jobtracker.group.pull.Claimer;
import io.millrace.jobtracker.group.pull.LostExecutions;
import io.millrace.jobtracker.group.pull.OverlapGuard;
import io.millrace.jobtracker.group.pull.PullService;
import io.millrace.jobtracker.group.reconcile.GroupReconciler;
import io.millrace.jobtracker.group.recover.Rescuer;
import io.millrace.jobtracker.group.worker.BoundWorkers;
import io.millrace.jobtracker.group.worker.PullingWorkers;
import io.millrace.jobtracker.store.Stores;

/**
 * The parts of one served node group, connected to one another.
 *
 * @param loadSoon wakes the timer that runs {@code preLoads}
 * @param generateSoon wakes the timer that runs {@code generator}
 */
record GroupParts(
    GroupMemory memory,
    BoundWorkers bound,
    PullService pulls,
    LanePreLoads preLoads,
    TriggerGenerator generator,
    Rescuer rescuer,
    GroupReconciler reconciler,
    BatchTask batches,
    LostWorkersTask lostWorkers,
    WakeUp loadSoon,
    WakeUp generateSoon,
    WakeUp batchesSoon) {

  /**
   * Makes the parts.
   *
   * @param epoch the epoch of this tracker's ownership
   */
  static GroupParts of(String name, long epoch, GroupContext context) {
    WakeUp loadSoon = new WakeUp();
    WakeUp generateSoon = new WakeUp();
    WakeUp batchesSoon = new WakeUp();
    GroupMemory memory = memory(name, epoch, context);
    GapDetector gaps = gapDetector(context);
    PullingWorkers workers = workers(context);
    BoundWorkers bound = boundWorkers(name, workers, gaps, context);
    PullService pulls = pulls(memory, context, workers, bound, loadSoon);
    return new GroupParts(
        memory,
        bound,
        pulls,
        preLoads(memory, context, pulls, bound, loadSoon, generateSoon),
        generator(name, context.engine()),
        rescuer(memory, gaps, context),
        reconciler(name, context, generateSoon),
        batches(name, context.engine(), pulls, batchesSoon),
        lostWorkers(memory, context.engine(), bound),
        loadSoon,
        generateSoon,
        batchesSoon);
  }

  private static GroupMemory memory(String name, long epoch, GroupContext context) {
    ServiceConfig config = context.config();
    long bytes = config.preload().dequeBytes();
    return new GroupMemory(
        name,
        epoch,
        new WaitingHeads(head(context, bytes), () -> head(context, bytes / Lane.MOST)),
        new LeaseTable(
            config.workers().lease().toMillis(), config.workers().timeoutGrace().toMillis()));
  }

  /**
   * @param bytes of due triggers; the heads of lanes share what the plain one has
   */
  private static WaitingHead head(GroupContext context, long bytes) {
    ServiceConfig config = context.config();
    return new WaitingHead(
        config.preload().dequeCapacity(),
        bytes,
        config.preload().aheadCapacity(),
        context.engine().planner().limits().misfireThreshold(),
        config.priorityOrder());
  }

  /** Late by half a lease: the workers may have been unable to renew for the same reason. */
  private static GapDetector gapDetector(GroupContext context) {
    long period = GroupTimers.recoverPeriod(context.config()).toMillis();
    long lease = context.config().workers().lease().toMillis();
    return new GapDetector(period + lease / 2, context.engine().time().monotonicMillis());
  }

  /** A worker pulls each second: half a lease without any pull is a fault of the network. */
  private static PullingWorkers workers(GroupContext context) {
    return new PullingWorkers(
        context.config().workers().lease().toMillis() / 2,
        context.engine().time().monotonicMillis());
  }

  private static BoundWorkers boundWorkers(
      String name, PullingWorkers workers, GapDetector gaps, GroupContext context) {
    EngineContext engine = context.engine();
    return new BoundWorkers(
        name,
        workers,
        engine.stores().console().fleet().workers(),
        gaps,
        context.config().workers().lease().toMillis(),
        engine.time());
  }

  private static PullService pulls(
      GroupMemory memory,
      GroupContext context,
      PullingWorkers workers,
      BoundWorkers bound,
      WakeUp loadSoon) {
    EngineContext engine = context.engine();
    ServiceConfig config = context.config();
    OverlapGuard turns =
        new OverlapGuard(engine.stores().jobs(), recorder(engine), chained(engine), engine.ids());
    Claimer claimer =
        new Claimer(
            engine.stores(),
            context.definitions(),
            turns,
            bound::of,
            engine.ids(),
            context.codec(),
            engine.signals());
    return new PullService(
        memory,
        claimer,
        context.ends(),
        new LostExecutions(memory, engine.stores().executing(), engine.time()),
        engine.time(),
        new PullService.Waits(
            config.workers().parkTime(),
            config.workers().claimAhead(),
            config.preload().dequeCapacity() / 4),
        new PullService.Surroundings(
            workers, context.ownsForCertain(), loadSoon::wake, engine.listener()));
  }

  private static LanePreLoads preLoads(
      GroupMemory memory,
      GroupContext context,
      PullService pulls,
      BoundWorkers bound,
      WakeUp loadSoon,
      WakeUp generateSoon) {
    EngineContext engine = context.engine();
    ServiceConfig config = context.config();
    MisfireSweep sweep =
        new MisfireSweep(
            memory.name(),
            engine.stores(),
            engine.planner(),
            engine.ids(),
            engine.signals(),
            generateSoon::wake);
    PreLoader.Ahead ahead =
        new PreLoader.Ahead(config.preload().lookAhead(), config.workers().claimAhead());
    return new LanePreLoads(
        memory.name(),
        memory.heads(),
        engine.stores().waiting(),
        engine.stores().lanes(),
        lane -> {
          PreLoader preLoader =
              new PreLoader(
                  lane,
                  engine.stores(),
                  sweep,
                  engine.time(),
                  ahead,
                  pulls::dispatch,
                  loadSoon::wake);
          return new LanePreLoads.OfLane(
              preLoader,
              new PreLoadDuty(
                  preLoader,
                  memory.name(),
                  engine.time(),
                  config.preload().period(),
                  engine.listener()));
        },
        boundLoad(memory, engine, ahead, pulls, bound));
  }

  private static BoundLoad boundLoad(
      GroupMemory memory,
      EngineContext engine,
      PreLoader.Ahead ahead,
      PullService pulls,
      BoundWorkers bound) {
    return new BoundLoad(
        memory.name(),
        memory.heads().bound(),
        engine.stores().waiting(),
        bound::isGone,
        engine.time(),
        ahead,
        pulls::dispatch);
  }

  private static TriggerGenerator generator(String name, EngineContext engine) {
    return new TriggerGenerator(
        name, engine.stores(), engine.planner(), recorder(engine), engine.ids(), engine.signals());
  }

  private static Rescuer rescuer(GroupMemory memory, GapDetector gaps, GroupContext context) {
    EngineContext engine = context.engine();
    return new Rescuer(
        memory,
        engine.stores().executing(),
        context.ends(),
        engine.time(),
        gaps,
        context.config().workers().lease().toMillis());
  }

  private static GroupReconciler reconciler(
      String name, GroupContext context, WakeUp generateSoon) {
    EngineContext engine = context.engine();
    GroupReconciler.Options options =
        new GroupReconciler.Options(
            context.config().reconcilePeriod().multipliedBy(2), generateSoon::wake);
    return new GroupReconciler(
        name,
        engine.stores(),
        engine.planner(),
        engine.ids(),
        engine.signals(),
        options,
        GroupReconciler.Pages.DEFAULT);
  }

  private static BatchTask batches(
      String name, EngineContext engine, PullService pulls, WakeUp batchesSoon) {
    Stores stores = engine.stores();
    RunStopper stopper = new RunStopper(stores, engine.ids());
    return new BatchTask(
        name,
        stores,
        new BatchTask.Steps(
            new BatchEnder(engine),
            new PartRelease(stores, engine.ids()),
            new PartWithdrawal(stores, stopper, engine.ids(), engine.signals()),
            new StagedRemains(stores)),
        engine.signals(),
        pulls.workers()::slots,
        batchesSoon,
        engine.time().clock());
  }

  private static LostWorkersTask lostWorkers(
      GroupMemory memory, EngineContext engine, BoundWorkers bound) {
    return new LostWorkersTask(
        memory.name(),
        memory.heads(),
        bound::isGone,
        new LostParts(engine.stores(), engine.ids()),
        engine.signals(),
        engine.time().clock());
  }

  private static CompletionRecorder recorder(EngineContext engine) {
    return new CompletionRecorder(engine.stores(), engine.ids());
  }

  private static ChainedTriggers chained(EngineContext engine) {
    return new ChainedTriggers(engine.stores(), engine.planner(), engine.ids());
  }
}
