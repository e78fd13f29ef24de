package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.engine.ExecutionCompletions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Releases executions that were claimed and never reached a worker. Thread-safe. */
final class UnreceivedExecutions {
  private static final Logger LOG = LoggerFactory.getLogger(UnreceivedExecutions.class);

  private final GroupMemory group;
  private final ExecutionCompletions ends;

  UnreceivedExecutions(GroupMemory group, ExecutionCompletions ends) {
    this.group = group;
    this.ends = ends;
  }

  /** Completes when they wait again or cannot be released; then their leases run out. */
  CompletableFuture<Void> giveBack(List<Long> executionIds) {
    if (executionIds.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    LOG.info("pull: {} executions of {} were never received", executionIds, group.name());
    List<AttemptOutcome> back =
        executionIds.stream()
            .map(id -> (AttemptOutcome) new AttemptOutcome.NeverReceived(id, group.epoch()))
            .toList();
    return CompletableFuture.allOf(ends.end(group.name(), back).toArray(CompletableFuture[]::new))
        .exceptionally(unknown -> null);
  }
}
