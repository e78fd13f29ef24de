package io.millrace.jobtracker.engine;

import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;

/**
 * What every part of a running tracker works with.
 *
 * @param stores what is kept
 * @param ids issues this tracker's ids
 * @param planner plans the triggers of jobs
 * @param signals tells the parts concerned what was committed
 * @param listener told what the parts do
 * @param timers makes timers of periodic tasks
 */
public record EngineContext(
    Stores stores,
    IdSequence ids,
    JobPlanner planner,
    Signals signals,
    EngineListener listener,
    Timers timers) {

  /** Clock, timer and executor. */
  public TimedExecutor time() {
    return timers.time();
  }
}
