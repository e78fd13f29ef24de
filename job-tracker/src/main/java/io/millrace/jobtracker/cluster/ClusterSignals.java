package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import java.util.Collection;
import java.util.List;

/** Notifies the tracker that serves a node group: this one, or else a peer. Thread-safe. */
public final class ClusterSignals implements Signals {
  private final Signals local;
  private final PeerTrackers peers;
  private final GroupRegistry<?> groups;

  /**
   * @param local notifies this tracker
   * @param peers the other trackers
   * @param groups the node groups that this tracker serves
   */
  public ClusterSignals(Signals local, PeerTrackers peers, GroupRegistry<?> groups) {
    this.local = local;
    this.peers = peers;
    this.groups = groups;
  }

  @Override
  public void nodeGroupStored(String nodeGroup) {
    local.nodeGroupStored(nodeGroup);
    peers.nodeGroupStored(nodeGroup);
  }

  @Override
  public void triggersStored(String nodeGroup, long earliestDueAt) {
    serverOf(nodeGroup).triggersStored(nodeGroup, earliestDueAt);
  }

  @Override
  public void triggersStored(String nodeGroup, List<WaitingTrigger> rows) {
    serverOf(nodeGroup).triggersStored(nodeGroup, rows);
  }

  @Override
  public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
    serverOf(nodeGroup).executionsEnded(nodeGroup, executionIds);
  }

  @Override
  public void stopRequested(String nodeGroup, Collection<Long> executionIds) {
    serverOf(nodeGroup).stopRequested(nodeGroup, executionIds);
  }

  @Override
  public void terminated(String nodeGroup, Collection<Long> executionIds) {
    serverOf(nodeGroup).terminated(nodeGroup, executionIds);
  }

  @Override
  public void feedbackStored() {
    local.feedbackStored();
    peers.feedbackStored();
  }

  private Signals serverOf(String nodeGroup) {
    return groups.serves(nodeGroup) ? local : peers;
  }
}
