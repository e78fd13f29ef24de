package io.millrace.jobtracker.submit.change;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.job.LockedJobs;
import io.millrace.jobtracker.submit.job.NewVersions;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Pauses recurring jobs: no waiting trigger is claimed after the commit, executions under way
 * continue but get no further attempt, and the job's row records who paused it, when and why.
 * Thread-safe.
 */
public final class JobPauser {
  private final Stores stores;
  private final LockedJobs locked;
  private final TriggerWithdrawal takeback;
  private final JobChanges changes;

  public JobPauser(
      Stores stores, LockedJobs locked, TriggerWithdrawal takeback, JobChanges changes) {
    this.stores = stores;
    this.locked = locked;
    this.takeback = takeback;
    this.changes = changes;
  }

  /** Pauses a job. The answer is sent after the commit. */
  public CompletableFuture<ChangeResult> pause(Peer client, PauseRequest request) {
    String reason = request.reason();
    int chars = reason == null ? 0 : reason.codePointCount(0, reason.length());
    if (chars > PauseRequest.MAX_REASON_CHARS) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.BAD_REQUEST,
              "the reason has "
                  + chars
                  + " characters; at most "
                  + PauseRequest.MAX_REASON_CHARS
                  + " are allowed"));
    }
    String group = request.nodeGroup();
    String taskId = request.taskId();
    return changes.carryOut(
        "pause",
        group,
        taskId,
        LockedJobs.unknown(group, taskId),
        now -> pauseOnce(group, taskId, new Pause(NewVersions.nameOf(client), now, reason)));
  }

  private Change<ChangeResult> pauseOnce(String group, String taskId, Pause pause) {
    Optional<JobDefinition> found = locked.find(group, taskId);
    ChangeResult refusal = locked.refusal(group, taskId, found);
    if (refusal != null) {
      return Change.none(refusal);
    }
    JobDefinition job = found.orElseThrow();
    return job.state() == JobState.PAUSED
        ? Change.none(pausedAlready(group, job))
        : pauseActive(group, job, pause);
  }

  private Change<ChangeResult> pauseActive(String group, JobDefinition job, Pause pause) {
    TriggerWithdrawal.TakenBack taken =
        takeback.takeBackTriggers(
            group, job, TriggerWithdrawal.Reason.PAUSED, job.spec(), pause.at());
    JobDefinition paused =
        job.paused(pause).fired(taken.plannedUntil(), -taken.later().size(), null, false);
    locked.replace(paused, job.version());
    ChangeResult answer =
        new ChangeResult(
            ChangeStatus.CHANGED, taken.running(), "paused" + goingOn(taken.running()));
    return new Change<>(
        answer,
        Change.NO_TRIGGER,
        Stopped.NOTHING,
        taken.hasFeedback(),
        () -> locked.shows(paused));
  }

  private static String goingOn(int running) {
    return switch (running) {
      case 0 -> "";
      case 1 -> "; one running execution continues, and no further attempt follows it";
      default ->
          "; " + running + " running executions continue, and no further attempt follows them";
    };
  }

  private ChangeResult pausedAlready(String group, JobDefinition job) {
    int running = stores.runs().findByTasks(group, List.of(job.taskId())).size();
    return new ChangeResult(
        ChangeStatus.UNCHANGED, running, "already paused" + describe(job.pause()));
  }

  private static String describe(@Nullable Pause pause) {
    if (pause == null) {
      return "";
    }
    String why = pause.reason() == null ? "" : ": " + pause.reason();
    return " by " + pause.by() + " since " + Instant.ofEpochMilli(pause.at()) + why;
  }
}
