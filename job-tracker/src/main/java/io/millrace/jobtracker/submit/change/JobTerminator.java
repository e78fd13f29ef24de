package io.millrace.jobtracker.submit.change;

import io.millrace.api.TerminateResult;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Terminates executions: no attempt follows them, a success still counts, and their workers are
 * asked to interrupt the invocations. The waiting triggers of the job do not change. The end of a
 * terminated execution has the usual effects: the next trigger of a chained job is written, and the
 * next held trigger is released. Thread-safe.
 */
public final class JobTerminator {
  private static final TerminateResult NOTHING = new TerminateResult(0);

  private final Stores stores;
  private final JobChanges changes;
  private final Signals signals;

  public JobTerminator(Stores stores, JobChanges changes, Signals signals) {
    this.stores = stores;
    this.changes = changes;
    this.signals = signals;
  }

  /** Terminates executions of a task id. The answer is sent after the commit. */
  public CompletableFuture<TerminateResult> terminate(Peer client, TerminateRequest request) {
    String group = request.nodeGroup();
    String taskId = request.taskId();
    String by = JobPauser.nameOf(client);
    return changes
        .carryOut(
            "terminate",
            group,
            taskId,
            List.<Long>of(),
            now -> Change.none(terminateOnce(request, by)))
        .thenApply(terminated -> notifyWorkers(group, terminated));
  }

  /** Writes before it reads: an execution that the write does not find has ended before. */
  private List<Long> terminateOnce(TerminateRequest request, String by) {
    String group = request.nodeGroup();
    String taskId = request.taskId();
    if (stores.executing().terminate(group, taskId, request.executionId(), by) == 0) {
      return List.of();
    }
    return stores.executing().findByTasks(group, List.of(taskId)).stream()
        .filter(execution -> execution.terminatedBy() != null)
        .map(Execution::id)
        .filter(id -> request.executionId() == null || request.executionId().equals(id))
        .toList();
  }

  private TerminateResult notifyWorkers(String group, List<Long> terminated) {
    if (terminated.isEmpty()) {
      return NOTHING;
    }
    signals.terminated(group, terminated);
    return new TerminateResult(terminated.size());
  }
}
