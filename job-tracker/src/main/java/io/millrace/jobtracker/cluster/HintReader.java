package io.millrace.jobtracker.cluster;

import io.millrace.internal.protocol.HintReply;
import io.millrace.internal.protocol.HintRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.engine.Signals;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Passes hints of other trackers on within this tracker only. Thread-safe. */
public final class HintReader {
  private final Signals local;
  private final Supplier<Set<String>> clientGroups;

  /**
   * @param local notifies this tracker only
   * @param clientGroups the client groups with a client connected to this tracker
   */
  public HintReader(Signals local, Supplier<Set<String>> clientGroups) {
    this.local = local;
    this.clientGroups = clientGroups;
  }

  /** Passes on the hints of another tracker. */
  public CompletionStage<HintReply> read(Peer tracker, HintRequest hints) {
    hints.nodeGroups().forEach(local::nodeGroupStored);
    hints.triggers().forEach(row -> local.triggersStored(row.nodeGroup(), row.earliestDueAt()));
    hints.ended().forEach(row -> local.executionsEnded(row.nodeGroup(), row.executionIds()));
    hints.stopRequested().forEach(row -> local.stopRequested(row.nodeGroup(), row.executionIds()));
    hints.terminated().forEach(row -> local.terminated(row.nodeGroup(), row.executionIds()));
    HintRequest.Feedback feedback = hints.feedback();
    if (feedback != null && !feedback.clientGroups().containsAll(clientGroups.get())) {
      local.feedbackStored();
    }
    return CompletableFuture.completedFuture(new HintReply());
  }
}
