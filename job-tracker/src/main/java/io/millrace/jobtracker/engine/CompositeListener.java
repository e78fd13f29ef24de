package io.millrace.jobtracker.engine;

import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forwards each call to two listeners. */
record CompositeListener(EngineListener first, EngineListener second) implements EngineListener {

  @Override
  public void planned(String nodeGroup, long triggers) {
    first.planned(nodeGroup, triggers);
    second.planned(nodeGroup, triggers);
  }

  @Override
  public void ended(LedgerEntry row) {
    first.ended(row);
    second.ended(row);
  }

  @Override
  public void committed(Commit what, int items, long nanos) {
    first.committed(what, items, nanos);
    second.committed(what, items, nanos);
  }

  @Override
  public void claimed(String nodeGroup, int executions) {
    first.claimed(nodeGroup, executions);
    second.claimed(nodeGroup, executions);
  }

  @Override
  public void handedOut(String nodeGroup, List<Assignment> assignments, long now) {
    first.handedOut(nodeGroup, assignments, now);
    second.handedOut(nodeGroup, assignments, now);
  }

  @Override
  public void ran(String nodeGroup, @Nullable String handler, long nanos) {
    first.ran(nodeGroup, handler, nanos);
    second.ran(nodeGroup, handler, nanos);
  }

  @Override
  public void alerts(String receiverType, AlertOutcome outcome, long count) {
    first.alerts(receiverType, outcome, count);
    second.alerts(receiverType, outcome, count);
  }

  @Override
  public void groupServed(ServedGroup group) {
    first.groupServed(group);
    second.groupServed(group);
  }

  @Override
  public void groupLeft(ServedGroup group) {
    first.groupLeft(group);
    second.groupLeft(group);
  }

  @Override
  public void loaded(String nodeGroup, long nanos) {
    first.loaded(nodeGroup, nanos);
    second.loaded(nodeGroup, nanos);
  }

  @Override
  public void counted(String nodeGroup, GroupStats stats, long now) {
    first.counted(nodeGroup, stats, now);
    second.counted(nodeGroup, stats, now);
  }

  @Override
  public void serves(Collection<String> nodeGroups, long now) {
    first.serves(nodeGroups, now);
    second.serves(nodeGroups, now);
  }
}
