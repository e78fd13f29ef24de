package io.millrace.jobtracker.purge;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.engine.WakeUp;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Purges every 10 minutes, and after short pauses while there is more to purge. */
public final class PurgeTask implements Duty {
  /** The time between two runs if there is no more to purge. */
  public static final Duration PERIOD = Duration.ofMinutes(10);

  /** The pause between two runs, which leaves the database to other work. */
  private static final Duration REST = Duration.ofMillis(500);

  private final Purger purger;
  private final TimedExecutor time;
  private final WakeUp again;

  /**
   * @param again wakes the timer of this task
   */
  public PurgeTask(Purger purger, TimedExecutor time, WakeUp again) {
    this.purger = purger;
    this.time = time;
    this.again = again;
  }

  @Override
  public @Nullable Object runOnce(long now) {
    Purger.Purged done = purger.runOnce(now);
    if (done.more()) {
      Timer.Timeout unused = time.schedule(REST, again::wake);
    }
    return done.isNothing() ? null : done;
  }
}
