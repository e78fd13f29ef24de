package io.millrace.jobtracker.domain.trigger;

import io.millrace.api.Job;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What holds for the parts of a run, if it is split.
 *
 * @param reduce name of the runner that runs after all parts; null if there is none
 * @param onPartFailure what a failed part means
 * @param within how long after its split the run may end; null means without limit
 * @param onWorkerLost what becomes of the part of a worker that is gone; null if the run is not
 *     split into one part for each worker
 */
public record SplitRules(
    @Nullable String reduce,
    PartFailurePolicy onPartFailure,
    @Nullable Duration within,
    @Nullable WorkerLossPolicy onWorkerLost) {
  private static final SplitRules DEFAULT =
      new SplitRules(null, PartFailurePolicy.FINISH, null, null);

  public SplitRules {
    onPartFailure = onPartFailure == null ? PartFailurePolicy.FINISH : onPartFailure;
  }

  /** The rules of a job; null if it sets none. */
  public static @Nullable SplitRules of(Job job) {
    PartFailurePolicy policy = job.onPartFailure();
    SplitRules rules =
        new SplitRules(
            job.reduce(),
            policy == null ? PartFailurePolicy.FINISH : policy,
            job.within(),
            onWorkerLost(job));
    return rules.equals(DEFAULT) ? null : rules;
  }

  private static @Nullable WorkerLossPolicy onWorkerLost(Job job) {
    if (!job.broadcast()) {
      return null;
    }
    return job.onWorkerLost() == null ? WorkerLossPolicy.SKIP : job.onWorkerLost();
  }

  /** The rules for a part that is split itself: the time is that of the whole run. */
  SplitRules ofPart() {
    return new SplitRules(reduce, onPartFailure, null, onWorkerLost);
  }
}
