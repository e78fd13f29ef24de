package io.millrace.jobtracker.group.pull;

import io.millrace.common.model.Assignment;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullStatus;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.engine.EngineListener;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers pulls that are parked no more. Every answer tells the worker what of what it holds is to
 * stop or is not its own, and for how long its leases are renewed. Thread-safe.
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

  /** Hands out what was claimed for the pull, perhaps nothing. */
  void answer(ParkedPull pull, List<Assignment> assignments) {
    pull.reply.complete(reply(pull, assignments, null, null));
    if (!assignments.isEmpty()) {
      listener.handedOut(group.name(), assignments, time.millis());
    }
  }

  /** Another pull of the worker waits in the place of this one, with its slots. */
  void answerCarried(ParkedPull pull, long carriedTo) {
    pull.reply.complete(reply(pull, List.of(), carriedTo, null));
  }

  /** The worker is known to live all the same, and its leases are renewed: it has to know that. */
  void answerTrouble(ParkedPull pull, String trouble) {
    pull.reply.complete(reply(pull, List.of(), null, trouble));
  }

  /** The pull has waited for as long as pulls wait. */
  void answerExpired(ParkedPull pull) {
    if (!ownsForCertain.getAsBoolean()) {
      fail(pull, "whether " + group.name() + " is served here is in doubt");
    } else if (group.head().isBlind() || sawNoLoadEnd(pull)) {
      // A queue that cannot be read must not look like an empty one.
      answerTrouble(pull, "the waiting queue of " + group.name() + " cannot be read");
    } else {
      answer(pull, List.of());
    }
  }

  /** Whether one load has been under way for as long as the pull has waited. */
  private boolean sawNoLoadEnd(ParkedPull pull) {
    return pull.loadOnArrival != 0 && group.head().loadUnderWay() == pull.loadOnArrival;
  }

  /** The worker may try again. */
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
        trouble);
  }
}
