package io.millrace.console.api;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What lives, or lived, under a key: one of a recurring job, a one-shot that waits, and one that
 * executes.
 */
public record KnownJob(
    @Nullable JobDefinition recurring,
    @Nullable WaitingTrigger waiting,
    @Nullable Execution executing) {

  static KnownJob of(JobDefinition recurring) {
    return new KnownJob(recurring, null, null);
  }

  static KnownJob of(WaitingTrigger waiting) {
    return new KnownJob(null, waiting, null);
  }

  static KnownJob of(Execution executing) {
    return new KnownJob(null, null, executing);
  }

  /** The id under which the ledger keeps its ends. */
  public long jobId() {
    if (recurring != null) {
      return recurring.id();
    }
    return waiting == null ? Objects.requireNonNull(executing).jobId() : waiting.jobId();
  }

  /** How it runs and ends. */
  public TriggerSpec spec() {
    if (recurring != null) {
      return recurring.spec();
    }
    TriggerSpec ofWaiting = waiting == null ? null : waiting.spec();
    return ofWaiting == null ? Objects.requireNonNull(executing).spec() : ofWaiting;
  }

  public boolean isLive() {
    return recurring == null || recurring.state().isLive();
  }
}
