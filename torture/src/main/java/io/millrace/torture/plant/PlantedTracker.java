package io.millrace.torture.plant;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.DisciplinedClock;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.WheelTimer;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A tracker whose dependencies contain a fault. Its resources are released only when its process
 * ends.
 */
public final class PlantedTracker {
  private PlantedTracker() {}

  /**
   * Creates a tracker that is otherwise as {@link JobTracker#create} makes it.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   */
  public static JobTracker create(JobTrackerConfig config, Plant plant) {
    Stores sound = JdbcStores.open(config.store()).stores();
    DisciplinedClock clock = new DisciplinedClock(new SystemClock());
    clock.discipline(sound.time()::databaseNow);
    WheelTimer wheel = new WheelTimer("millrace-wheel");
    ExecutorService threads =
        Executors.newFixedThreadPool(
            config.store().poolSize(), NamedThreads.daemon("millrace-tracker"));
    TimedExecutor time = new TimedExecutor(clock, wheel, threads);
    Random random = new Random();
    if (plant == Plant.RESCUE_WITHOUT_LEASE) {
      new RashRescuer(sound, config.tracker(), time, random).start();
    }
    return JobTracker.over(
        config.tracker(),
        new TrackerRuntime(
            planted(plant, sound),
            new NettyRpcServer(
                config.rpc(), config.tracker().trackerId(), wheel, clock, config.rpcThreads()),
            time,
            random));
  }

  private static Stores planted(Plant plant, Stores sound) {
    return switch (plant) {
      case CLAIM_WITHOUT_DELETE -> new LeakyClaims().in(sound);
      case FORGET_STEPS -> new ForgetfulSteps().in(sound);
      case STEPS_BY_TASK_ID -> new StepsByTaskId(sound).planted();
      case REPLAY_WITHOUT_STEPS -> new ReplaysWithoutSteps().in(sound);
      case REPLAY_TWICE -> new SecondReplays().in(sound);
      case BROADCAST_TO_FEW -> new BlindTakeovers().in(sound);
      case SPLIT_TWICE -> new SecondSplits(sound).planted();
      case COUNT_PARTS_TWICE, FORGET_PART_ENDS, RETRY_STOPPED_PARTS ->
          new MiscountedBatches(plant).in(sound);
      case ACK_BEFORE_COMMIT -> hasty(sound);
      case RESCUE_WITHOUT_LEASE -> sound;
    };
  }

  private static Stores hasty(Stores sound) {
    ExecutorService threads = Executors.newCachedThreadPool(NamedThreads.daemon("torture-hasty"));
    return sound.with(Transactions.class, real -> new HastyCommits(real, threads));
  }
}
