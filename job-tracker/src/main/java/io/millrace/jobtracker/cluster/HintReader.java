package io.millrace.jobtracker.cluster;

import io.millrace.common.protocol.HintReply;
import io.millrace.common.protocol.HintRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.jobtracker.engine.Signals;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Passes on what other trackers tell, within this tracker and to no other. Thread-safe. */
public final class HintReader {
  private final Signals local;
  private final Supplier<Set<String>> clientGroups;

  /**
   * @param local tells this tracker alone
   * @param clientGroups the client groups of which this tracker has a client
   */
  public HintReader(Signals local, Supplier<Set<String>> clientGroups) {
    this.local = local;
    this.clientGroups = clientGroups;
  }

  /** Passes the hints of another tracker on. */
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
