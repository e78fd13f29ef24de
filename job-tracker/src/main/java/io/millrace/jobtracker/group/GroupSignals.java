package io.millrace.jobtracker.group;

import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.engine.WakeUp;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Notifies the node groups that this tracker serves, and the other trackers of what concerns the
 * other groups. Thread-safe.
 */
public final class GroupSignals implements Signals {
  private final GroupRegistry<GroupEngine> groups;
  private final WakeUp lookForGroups;
  private final WakeUp pushFeedback;
  private final Signals peers;

  /**
   * @param lookForGroups wakes the timer that reads which groups this tracker owns
   * @param pushFeedback wakes the timer that pushes feedback to clients
   * @param peers notifies the other trackers; {@link Signals#NONE} to notify this tracker only
   */
  public GroupSignals(
      GroupRegistry<GroupEngine> groups, WakeUp lookForGroups, WakeUp pushFeedback, Signals peers) {
    this.groups = groups;
    this.lookForGroups = lookForGroups;
    this.pushFeedback = pushFeedback;
    this.peers = peers;
  }

  @Override
  public void nodeGroupStored(String nodeGroup) {
    if (!groups.serves(nodeGroup)) {
      lookForGroups.wake();
    }
    peers.nodeGroupStored(nodeGroup);
  }

  @Override
  public void triggersStored(String nodeGroup, long earliestDueAt) {
    groups
        .find(nodeGroup)
        .ifPresentOrElse(
            group -> group.preLoads().storedElsewhere(earliestDueAt),
            () -> peers.triggersStored(nodeGroup, earliestDueAt));
  }

  @Override
  public void triggersStored(String nodeGroup, List<WaitingTrigger> rows) {
    groups
        .find(nodeGroup)
        .ifPresentOrElse(
            group -> group.preLoads().enter(rows), () -> peers.triggersStored(nodeGroup, rows));
  }

  @Override
  public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
    groups
        .find(nodeGroup)
        .ifPresentOrElse(
            group -> group.leases().end(executionIds),
            () -> peers.executionsEnded(nodeGroup, executionIds));
  }

  @Override
  public void stopRequested(String nodeGroup, Collection<Long> executionIds) {
    groups
        .find(nodeGroup)
        .ifPresentOrElse(
            group -> group.stopRequested(executionIds),
            () -> peers.stopRequested(nodeGroup, executionIds));
  }

  @Override
  public void terminated(String nodeGroup, Collection<Long> executionIds) {
    groups
        .find(nodeGroup)
        .ifPresentOrElse(
            group -> group.terminated(executionIds),
            () -> peers.terminated(nodeGroup, executionIds));
  }

  @Override
  public void batchesChanged(String nodeGroup, Map<Long, BatchProgress> batches) {
    groups.find(nodeGroup).ifPresent(group -> group.batches().changed(batches));
  }

  @Override
  public void feedbackStored() {
    pushFeedback.wake();
    peers.feedbackStored();
  }
}
