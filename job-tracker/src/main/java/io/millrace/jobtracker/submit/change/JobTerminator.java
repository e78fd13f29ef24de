package io.millrace.jobtracker.submit.change;

import io.millrace.api.TerminateResult;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.submit.job.NewVersions;
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

  public JobTerminator(RunStopper stopper, JobChanges changes) {
    this.stopper = stopper;
    this.changes = changes;
  }

  /** Terminates executions of a task id. The answer is sent after the commit. */
  public CompletableFuture<TerminateResult> terminate(Peer client, TerminateRequest request) {
    String group = request.nodeGroup();
    String taskId = request.taskId();
    String by = NewVersions.nameOf(client);
    return changes.carryOut(
        "terminate",
        group,
        taskId,
        NOTHING,
        now -> terminated(stopper.terminate(group, taskId, request.executionId(), by, now)));
  }

  /** To repeat it does no harm: who terminated first stays recorded. */
  private static Change<TerminateResult> terminated(Stopped stopped) {
    return new Change<>(
        new TerminateResult(stopped.runs()), Change.NO_TRIGGER, stopped, false, () -> false);
  }
}
