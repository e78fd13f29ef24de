package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.outcome.AttemptEnd;
import io.millrace.jobtracker.engine.ExecutionEnds;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives executions back that were claimed and never reached a worker. Thread-safe. */
final class UnreceivedExecutions {
  private static final Logger LOG = LoggerFactory.getLogger(UnreceivedExecutions.class);

  private final GroupMemory group;
  private final ExecutionEnds ends;

  UnreceivedExecutions(GroupMemory group, ExecutionEnds ends) {
    this.group = group;
    this.ends = ends;
  }

  /** Completes when they are back, or cannot be brought back: then their leases run out. */
  CompletableFuture<Void> giveBack(List<Long> executionIds) {
    if (executionIds.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    LOG.info("pull: {} executions of {} were never received", executionIds, group.name());
    List<AttemptEnd> back =
        executionIds.stream()
            .map(id -> (AttemptEnd) new AttemptEnd.NeverReceived(id, group.epoch()))
            .toList();
    return CompletableFuture.allOf(ends.end(group.name(), back).toArray(CompletableFuture[]::new))
        .exceptionally(unknown -> null);
  }
}
