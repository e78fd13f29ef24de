package io.millrace.console.api;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.LiveTrigger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job that lives, or lived, under a key. Exactly one part is set: a recurring job, or a one-shot
 * that waits or executes.
 */
public record KnownJob(@Nullable JobDefinition recurring, @Nullable LiveTrigger oneShot) {

  /** The job id under which the ledger records its ends. */
  public long jobId() {
    return recurring == null ? Objects.requireNonNull(oneShot).jobId() : recurring.id();
  }

  public boolean isLive() {
    return recurring == null || recurring.state().isLive();
  }
}
