package io.millrace.torture.plant;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.complete.CompletionService;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rescues executions of owned node groups without checking whether their leases have expired. The
 * tracker finds the changes at its next poll, as if another tracker had written them.
 */
final class RashRescuer {
  private static final Logger LOG = LoggerFactory.getLogger(RashRescuer.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** An id that no tracker has, so that ids stay unique. */
  private static final int TRACKER_FOR_IDS = IdSequence.MAX_TRACKERS - 1;

  private final Stores stores;
  private final TrackerSettings settings;
  private final TimedExecutor time;
  private final RandomGenerator random;

  RashRescuer(Stores stores, TrackerSettings settings, TimedExecutor time, RandomGenerator random) {
    this.stores = stores;
    this.settings = settings;
    this.time = time;
    this.random = random;
  }

  /** Runs periodically until the tracker's wheel stops. */
  void start() {
    time.schedule(PERIOD, this::run);
  }

  private void run() {
    try {
      stores.nodeGroups().all().forEach(this::rescueOne);
    } catch (RuntimeException e) {
      LOG.info("planted: the rescue failed this time: {}", e.toString());
    }
    start();
  }

  private void rescueOne(NodeGroup group) {
    Integer owner = group.owner();
    List<Execution> executing = stores.executing().findByGroup(group.name(), Long.MIN_VALUE, 1);
    if (owner == null || executing.isEmpty()) {
      return;
    }
    CompletionService desk =
        CompletionService.of(
            owner,
            new EngineContext(
                stores,
                new IdSequence(TRACKER_FOR_IDS, executing.get(0).id()),
                new JobPlanner(settings.defaultZone(), settings.generation()),
                Signals.NONE,
                EngineListener.NONE,
                new Timers(time, random)),
            new StoreQuotas(stores.nodeGroups(), settings.quotas()),
            level -> null);
    long id = executing.get(0).id();
    LOG.info("planted: execution {} of {} is rescued from a living worker", id, group.name());
    desk.end(group.name(), List.of(new AttemptOutcome.LeaseExpired(id, group.epoch())));
  }
}
