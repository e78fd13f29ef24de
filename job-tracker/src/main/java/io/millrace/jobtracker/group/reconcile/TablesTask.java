package io.millrace.jobtracker.group.reconcile;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.engine.WakeUp;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles node groups and their tables. Findings in doubt are checked again after the grace: the
 * row of a new table may not be written yet.
 */
public final class TablesTask implements Duty {
  private final NodeGroupTables tables;
  private final TimedExecutor time;
  private final WakeUp again;

  /**
   * @param again wakes the timer of this task
   */
  public TablesTask(NodeGroupTables tables, TimedExecutor time, WakeUp again) {
    this.tables = tables;
    this.time = time;
    this.again = again;
  }

  @Override
  public @Nullable Object runOnce(long now) {
    Reconciled done = tables.runOnce(now);
    if (tables.isInDoubt()) {
      Timer.Timeout unused =
          time.schedule(Duration.ofMillis(NodeGroupTables.GRACE_MILLIS), again::wake);
    }
    return done.isNothing() ? null : done;
  }
}
