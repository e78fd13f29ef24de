package io.millrace.jobtracker.submit;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.CancelResult;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.SubmitReply;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.disposition.EndRecorder;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.Stores;
import java.time.ZoneId;
import java.util.concurrent.CompletableFuture;

/** The door of the room: submits and cancels. Thread-safe. */
public final class SubmitRoom {
  private final JobSubmitter submitter;
  private final JobCanceller canceller;

  private SubmitRoom(JobSubmitter submitter, JobCanceller canceller) {
    this.submitter = submitter;
    this.canceller = canceller;
  }

  /**
   * Bounds of what may be submitted.
   *
   * @param defaultZone zone of cron expressions that name none
   * @param maxNodeGroups node groups there may be
   */
  public record Bounds(ZoneId defaultZone, int maxNodeGroups) {}

  /** Furnishes the room. */
  public static SubmitRoom open(
      Bounds bounds,
      Stores stores,
      Codec codec,
      JobPlanner planner,
      IdSequence ids,
      TimedExecutor time,
      Signals signals) {
    EndRecorder recorder = new EndRecorder(stores.ledger(), stores.feedback(), ids);
    JobTakeback takeback = new JobTakeback(stores, recorder, ids);
    GroupSubmit groupSubmit =
        new GroupSubmit(
            stores,
            new OneShotSubmit(stores, takeback, ids, time.clock()),
            new RecurringSubmit(stores, takeback, planner, ids, time.clock()),
            signals,
            bounds.maxNodeGroups());
    JobValidator validator = new JobValidator(codec, bounds.defaultZone());
    return new SubmitRoom(
        new JobSubmitter(validator, groupSubmit, time.executor(), time.clock()),
        new JobCanceller(stores, takeback, time.executor(), signals, time.clock()));
  }

  /** Stores a client's jobs. */
  public CompletableFuture<SubmitReply> submit(Peer client, SubmitRequest request) {
    return submitter.submit(client, request);
  }

  /** Cancels the living job of a key. */
  public CompletableFuture<CancelResult> cancel(CancelRequest request) {
    return canceller.cancel(request);
  }
}
