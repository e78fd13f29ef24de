package io.millrace.jobtracker.group.generate;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.engine.WakeUp;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Generates the triggers of one node group. Looks every 5 seconds, with one read, whether a job
 * needs some, and sooner for jobs whose next triggers are due before that. Driven by one timer,
 * which never overlaps its own runs.
 */
public final class GenerateTask implements Duty {
  /** The time between two runs if no job needs one sooner. */
  public static final Duration PERIOD = Duration.ofSeconds(5);

  /** The shortest wait, so that a job that cannot be generated does not make the task spin. */
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(50);

  private final TriggerGenerator generator;
  private final TimedExecutor time;
  private final WakeUp again;
  private Timer.@Nullable Timeout sooner;

  /**
   * @param again wakes the timer of this task
   */
  public GenerateTask(TriggerGenerator generator, TimedExecutor time, WakeUp again) {
    this.generator = generator;
    this.time = time;
    this.again = again;
  }

  @Override
  public @Nullable Object runOnce(long now) {
    OptionalLong next = generator.nextRun();
    TriggerGenerator.Generated done = TriggerGenerator.Generated.NOTHING;
    if (next.isPresent() && next.getAsLong() <= now) {
      done = generator.runOnce(now);
      next = generator.nextRun();
    }
    next.ifPresent(at -> wakeIn(at - now));
    return done.isNothing() ? null : done;
  }

  private void wakeIn(long millis) {
    Timer.cancel(sooner);
    if (millis < PERIOD.toMillis()) {
      Duration wait = Duration.ofMillis(Math.max(millis, SHORTEST_WAIT.toMillis()));
      sooner = time.schedule(wait, again::wake);
    }
  }
}
