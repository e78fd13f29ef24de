package io.millrace.jobtracker.engine;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;

/**
 * The shared objects that every part of a running tracker uses.
 *
 * @param stores the stores of the tracker
 * @param ids issues this tracker's ids
 * @param planner plans the triggers of jobs
 * @param signals notifies other parts after a commit
 * @param listener receives what the parts did
 * @param timers makes the timers of periodic tasks
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
