package io.millrace.jobtracker.group;

import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.engine.WakeUp;
import java.util.Collection;
import java.util.List;

/** Notifies the node groups that this tracker serves, and no other tracker. Thread-safe. */
public final class LocalSignals implements Signals {
  private final GroupRegistry<GroupEngine> groups;
  private final WakeUp lookForGroups;
  private final WakeUp pushFeedback;

  /**
   * @param lookForGroups wakes the timer that reads which groups this tracker owns
   * @param pushFeedback wakes the timer that pushes feedback to clients
   */
  public LocalSignals(
      GroupRegistry<GroupEngine> groups, WakeUp lookForGroups, WakeUp pushFeedback) {
    this.groups = groups;
    this.lookForGroups = lookForGroups;
    this.pushFeedback = pushFeedback;
  }

  @Override
  public void nodeGroupStored(String nodeGroup) {
    if (!groups.serves(nodeGroup)) {
      lookForGroups.wake();
    }
  }

  @Override
  public void triggersStored(String nodeGroup, long earliestDueAt) {
    groups.find(nodeGroup).ifPresent(group -> group.triggersStored(earliestDueAt));
  }

  @Override
  public void triggersStored(String nodeGroup, List<WaitingTrigger> rows) {
    groups.find(nodeGroup).ifPresent(group -> group.triggersStored(rows));
  }

  @Override
  public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
    groups.find(nodeGroup).ifPresent(group -> group.executionsEnded(executionIds));
  }

  @Override
  public void stopRequested(String nodeGroup, Collection<Long> executionIds) {
    groups.find(nodeGroup).ifPresent(group -> group.stopRequested(executionIds));
  }

  @Override
  public void terminated(String nodeGroup, Collection<Long> executionIds) {
    groups.find(nodeGroup).ifPresent(group -> group.terminated(executionIds));
  }

  @Override
  public void feedbackStored() {
    pushFeedback.wake();
  }
}
