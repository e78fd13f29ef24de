package io.millrace.jobtracker.group.pull;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.engine.EngineListener;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers pulls that are no longer parked. Every reply names the held executions that must stop or
 * that the worker has lost, and the time for which its leases are renewed. Thread-safe.
 */
final class PullReplies {
  private final GroupMemory group;
  private final LostExecutions lost;
  private final BooleanSupplier ownsForCertain;
  private final EngineListener listener;
  private final TimedExecutor time;

  PullReplies(
      GroupMemory group,
      LostExecutions lost,
      BooleanSupplier ownsForCertain,
      EngineListener listener,
      TimedExecutor time) {
    this.group = group;
    this.lost = lost;
    this.ownsForCertain = ownsForCertain;
    this.listener = listener;
    this.time = time;
  }

  /** Answers with the executions claimed for the pull; there may be none. */
  void answer(ParkedPull pull, List<Assignment> assignments) {
    pull.reply.complete(reply(pull, assignments, null, null));
    if (!assignments.isEmpty()) {
      listener.handedOut(group.name(), assignments, time.millis());
    }
  }

  /** Answers a pull that was superseded: a newer pull of the worker waits with its slots. */
  void answerCarried(ParkedPull pull, long carriedTo) {
    pull.reply.complete(reply(pull, List.of(), carriedTo, null));
  }

  /** Reports that nothing can be assigned now. Leases are renewed even so; the reply says so. */
  void answerTrouble(ParkedPull pull, String trouble) {
    pull.reply.complete(reply(pull, List.of(), null, trouble));
  }

  /** Answers a pull that has waited for the park time. */
  void answerExpired(ParkedPull pull) {
    if (!ownsForCertain.getAsBoolean()) {
      fail(pull, "it is not certain that this tracker serves " + group.name());
    } else if (group.heads().isBlind() || sawNoLoadEnd(pull)) {
      // An unreadable queue must not look like an empty one.
      answerTrouble(pull, "the waiting queue of " + group.name() + " cannot be read");
    } else {
      answer(pull, List.of());
    }
  }

  /** Whether one load has been under way for as long as the pull has waited. */
  private static boolean sawNoLoadEnd(ParkedPull pull) {
    return pull.loadOnArrival != null && pull.loadOnArrival.isUnderWay();
  }

  /** Fails the pull; the worker may retry. */
  void fail(ParkedPull pull, String why) {
    pull.reply.completeExceptionally(new RpcException(ErrorCode.UNAVAILABLE, why));
  }

  private PullReply reply(
      ParkedPull pull,
      List<Assignment> assignments,
      @Nullable Long carriedTo,
      @Nullable String trouble) {
    return new PullReply(
        PullStatus.SERVED,
        assignments,
        carriedTo,
        group.leases().stopRequested(pull.held),
        null,
        group.leases().terminated(pull.held),
        lost.lostOf(pull.worker.nodeId(), pull.held),
        ownsForCertain.getAsBoolean()
            ? (Long) group.leases().leaseMillis()
            : (Long) PullReply.RENEWS_NOTHING,
        trouble,
        assignments.isEmpty() ? null : (Long) (pull.leasedAt - pull.arrivedAt));
  }
}
