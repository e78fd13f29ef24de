package io.millrace.jobtracker.signal;

import io.millrace.common.model.Assignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells two what rooms tell of their work. */
record MeasuresForTwo(Measures first, Measures second) implements Measures {

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
}
