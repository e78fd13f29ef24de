package io.millrace.jobtracker.submit.change;

import io.millrace.api.TerminateResult;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.engine.Signals;
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

  private final RunStopper stopper;
  private final JobChanges changes;
  private final Signals signals;

  public JobTerminator(RunStopper stopper, JobChanges changes, Signals signals) {
    this.stopper = stopper;
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
            now -> Change.none(stopper.terminate(group, taskId, request.executionId(), by, now)))
        .thenApply(terminated -> notifyWorkers(group, terminated));
  }

  private TerminateResult notifyWorkers(String group, List<Long> terminated) {
    if (terminated.isEmpty()) {
      return NOTHING;
    }
    signals.terminated(group, changes.withThoseBelow(group, terminated));
    signals.batchesChanged(group);
    return new TerminateResult(terminated.size());
  }
}
