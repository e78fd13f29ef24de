package io.millrace.jobtracker.engine;

import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.observe.TrackerObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forwards each call to a listener, and ends and hand-outs also to an observer. */
record ObservedListener(EngineListener listener, TrackerObserver observer)
    implements EngineListener {

  @Override
  public void planned(String nodeGroup, long triggers) {
    listener.planned(nodeGroup, triggers);
  }

  @Override
  public void ended(LedgerEntry row) {
    listener.ended(row);
    observer.ended(row);
  }

  @Override
  public void committed(Commit what, int items, long nanos) {
    listener.committed(what, items, nanos);
  }

  @Override
  public void claimed(String nodeGroup, int executions) {
    listener.claimed(nodeGroup, executions);
  }

  @Override
  public void handedOut(String nodeGroup, List<Assignment> assignments, long now) {
    listener.handedOut(nodeGroup, assignments, now);
    observer.handedOut(nodeGroup, assignments, now);
  }

  @Override
  public void ran(String nodeGroup, @Nullable String handler, long nanos) {
    listener.ran(nodeGroup, handler, nanos);
  }

  @Override
  public void groupServed(ServedGroup group) {
    listener.groupServed(group);
  }

  @Override
  public void groupLeft(ServedGroup group) {
    listener.groupLeft(group);
  }

  @Override
  public void lanesCounted(ServedGroup group) {
    listener.lanesCounted(group);
  }

  @Override
  public void loaded(String nodeGroup, long nanos) {
    listener.loaded(nodeGroup, nanos);
  }
}
