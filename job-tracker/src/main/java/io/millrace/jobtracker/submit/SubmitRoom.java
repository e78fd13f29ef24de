package io.millrace.jobtracker.submit;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.CancelResult;
import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.RunNowResult;
import io.millrace.common.model.TerminateResult;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.PauseRequest;
import io.millrace.common.protocol.ResumeRequest;
import io.millrace.common.protocol.RunNowRequest;
import io.millrace.common.protocol.SubmitReply;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.protocol.TerminateRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.disposition.EndRecorder;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.domain.trigger.ReplayResult;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.signal.Measures;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.Stores;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The door of the room: submits, cancels, pauses, resumes, extra runs, replays, ends. Thread-safe.
 */
public final class SubmitRoom {
  private final JobSubmitter submitter;
  private final JobCanceller canceller;
  private final JobPauser pauser;
  private final JobResumer resumer;
  private final RunNow extraRuns;
  private final ReplayDead replays;
  private final JobTerminator terminator;

  private SubmitRoom(
      JobSubmitter submitter,
      JobCanceller canceller,
      JobPauser pauser,
      JobResumer resumer,
      RunNow extraRuns,
      ReplayDead replays,
      JobTerminator terminator) {
    this.submitter = submitter;
    this.canceller = canceller;
    this.pauser = pauser;
    this.resumer = resumer;
    this.extraRuns = extraRuns;
    this.replays = replays;
    this.terminator = terminator;
  }

  /**
   * Bounds of what may be submitted.
   *
   * @param defaultZone zone of cron expressions that name none
   * @param nodeGroups how many there may be
   * @param quotas whether there is room for more that waits
   */
  public record Bounds(ZoneId defaultZone, NodeGroupStore.Bounds nodeGroups, StoreQuotas quotas) {}

  /**
   * Furnishes the room.
   *
   * @param measures told of commits
   */
  public static SubmitRoom open(
      Bounds bounds,
      Stores stores,
      Codec codec,
      JobPlanner planner,
      IdSequence ids,
      TimedExecutor time,
      Signals signals,
      Measures measures) {
    EndRecorder recorder = new EndRecorder(stores, ids);
    LockedJobs locked = new LockedJobs(stores);
    JobTakeback takeback = new JobTakeback(stores, locked, planner, recorder, ids);
    TriggerPlans plans = new TriggerPlans(locked, planner);
    GroupSubmit groupSubmit =
        new GroupSubmit(
            stores,
            new OneShotSubmit(stores, takeback, ids, time.clock()),
            new RecurringSubmit(stores, locked, takeback, plans, recorder, ids, time.clock()),
            signals,
            bounds.nodeGroups());
    JobValidator validator = new JobValidator(codec, bounds.defaultZone());
    JobChanges changes = new JobChanges(stores, time, signals);
    return new SubmitRoom(
        new JobSubmitter(validator, groupSubmit, bounds.quotas(), time, measures),
        new JobCanceller(stores, locked, takeback, changes),
        new JobPauser(stores, locked, takeback, changes),
        new JobResumer(stores, locked, planner, plans, recorder, ids, changes),
        new RunNow(stores, locked, validator, ids, changes),
        new ReplayDead(stores, locked, validator, ids, changes, time.executor()),
        new JobTerminator(stores, changes, signals));
  }

  /** Stores a client's jobs. */
  public CompletableFuture<SubmitReply> submit(Peer client, SubmitRequest request) {
    return submitter.submit(client, request);
  }

  /** Cancels the living job of a key. */
  public CompletableFuture<CancelResult> cancel(CancelRequest request) {
    return canceller.cancel(request);
  }

  /** Pauses the recurring job of a key. */
  public CompletableFuture<ChangeResult> pause(Peer client, PauseRequest request) {
    return pauser.pause(client, request);
  }

  /** Resumes the paused job of a key. */
  public CompletableFuture<ChangeResult> resume(ResumeRequest request) {
    return resumer.resume(request);
  }

  /** Runs the recurring job of a key once more, now. */
  public CompletableFuture<RunNowResult> runNow(Peer client, RunNowRequest request) {
    return extraRuns.runNow(client, request);
  }

  /**
   * Writes a new trigger in the place of a dead one.
   *
   * @param deadId of the dead trigger
   * @param params other parameters; null for those of before
   * @param by who asks, for the record
   */
  public CompletableFuture<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by) {
    return replays.replay(deadId, params, by);
  }

  /** Ends what is under way of a job. */
  public CompletableFuture<TerminateResult> terminate(Peer client, TerminateRequest request) {
    return terminator.terminate(client, request);
  }
}
