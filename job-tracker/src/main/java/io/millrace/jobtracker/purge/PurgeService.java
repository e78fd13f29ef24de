package io.millrace.jobtracker.purge;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Purges every 10 minutes, and after short pauses while there is more to purge. Thread-safe. */
public final class PurgeService implements EngineService {
  private static final Duration PERIOD = Duration.ofMinutes(10);

  /** The pause between two runs, which leaves the database to other work. */
  private static final Duration REST = Duration.ofMillis(500);

  private final Purger purger;
  private final TimedExecutor time;
  private final RepeatedTimer timer;

  public PurgeService(Purger purger, Timers timers) {
    this.purger = purger;
    this.time = timers.time();
    this.timer = timers.timer("purge", Pace.every(PERIOD), this::runOnce);
  }

  @Override
  public void start() {
    timer.start();
  }

  /** Completes when a run under way has ended, which takes no more than a portion of each table. */
  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy();
  }

  private @Nullable Object runOnce(long now) {
    Purger.Purged done = purger.runOnce(now);
    if (done.more()) {
      time.schedule(REST, timer::wake);
    }
    return done.isNothing() ? null : done;
  }
}
