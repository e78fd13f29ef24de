package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A store of waiting triggers that delegates to another one: the base class of decorators. */
public abstract class ForwardingWaitingStore implements WaitingStore {
  private final WaitingStore real;

  protected ForwardingWaitingStore(WaitingStore real) {
    this.real = real;
  }

  @Override
  public void insert(String nodeGroup, List<WaitingTrigger> triggers) {
    real.insert(nodeGroup, triggers);
  }

  @Override
  public int delete(String nodeGroup, Collection<Long> ids) {
    return real.delete(nodeGroup, ids);
  }

  @Override
  public Set<Long> deleteEach(String nodeGroup, Collection<Long> ids) {
    return real.deleteEach(nodeGroup, ids);
  }

  @Override
  public boolean lock(String nodeGroup, long id) {
    return real.lock(nodeGroup, id);
  }

  @Override
  public Map<Long, String> readParams(String nodeGroup, Collection<Long> ids) {
    return real.readParams(nodeGroup, ids);
  }

  @Override
  public Optional<Level> nextLevel(String nodeGroup, int above) {
    return real.nextLevel(nodeGroup, above);
  }

  @Override
  public List<WaitingTrigger> readDue(
      String nodeGroup, int priority, long dueAfter, long dueUntil, int limit) {
    return real.readDue(nodeGroup, priority, dueAfter, dueUntil, limit);
  }

  @Override
  public List<WaitingTrigger> readDueAt(
      String nodeGroup, int priority, long dueAt, long aboveId, int limit) {
    return real.readDueAt(nodeGroup, priority, dueAt, aboveId, limit);
  }

  @Override
  public List<WaitingTrigger> findOneShots(String nodeGroup, Collection<String> taskIds) {
    return real.findOneShots(nodeGroup, taskIds);
  }

  @Override
  public List<WaitingTrigger> findByTask(String nodeGroup, String taskId) {
    return real.findByTask(nodeGroup, taskId);
  }

  @Override
  public List<WaitingTrigger> findByTask(
      String nodeGroup, String taskId, long plannedFrom, int limit) {
    return real.findByTask(nodeGroup, taskId, plannedFrom, limit);
  }

  @Override
  public List<WaitingTrigger> readByTask(String nodeGroup, TriggerKey behind, int limit) {
    return real.readByTask(nodeGroup, behind, limit);
  }

  @Override
  public Set<String> oneShotsNear(String nodeGroup, String taskId, int rows) {
    return real.oneShotsNear(nodeGroup, taskId, rows);
  }

  @Override
  public List<WaitingTrigger> findHeld(String nodeGroup, String taskId, int limit) {
    return real.findHeld(nodeGroup, taskId, limit);
  }

  @Override
  public List<WaitingTrigger> findUnbegun(
      String nodeGroup, Collection<String> taskIds, long plannedBefore, int limit) {
    return real.findUnbegun(nodeGroup, taskIds, plannedBefore, limit);
  }

  @Override
  public List<WaitingTrigger> findOldestUnbegun(
      String nodeGroup, String taskId, long plannedBefore, int limit) {
    return real.findOldestUnbegun(nodeGroup, taskId, plannedBefore, limit);
  }

  @Override
  public List<ListedTrigger> list(String nodeGroup, long aboveId, int limit) {
    return real.list(nodeGroup, aboveId, limit);
  }

  @Override
  public List<Tally> tally(String nodeGroup, Collection<String> taskIds, long after, long until) {
    return real.tally(nodeGroup, taskIds, after, until);
  }

  @Override
  public OptionalLong nextDue(String nodeGroup, long after) {
    return real.nextDue(nodeGroup, after);
  }

  @Override
  public long countDue(String nodeGroup, long dueUntil, int bound) {
    return real.countDue(nodeGroup, dueUntil, bound);
  }
}
