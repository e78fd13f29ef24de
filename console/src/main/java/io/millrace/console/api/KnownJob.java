package io.millrace.console.api;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job that lives, or lived, under a key. Exactly one part is set: a recurring job, a waiting
 * one-shot, or an executing one-shot.
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

  /** The job id under which the ledger records its ends. */
  public long jobId() {
    if (recurring != null) {
      return recurring.id();
    }
    return waiting == null ? Objects.requireNonNull(executing).jobId() : waiting.jobId();
  }

  /** The settings by which it runs and ends. */
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
