package io.millrace.jobtracker.group.pull;

import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.ExecutionCompletions;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the workers of one node group come for work. Renews leases with every pull and parks the
 * pull; the {@link ClaimLoop} answers it when there is work. Thread-safe.
 *
 * <p>With slots to spare work is claimed ahead: what falls due in a moment is claimed already, and
 * leaves at its time. Such an execution has a slot of its worker but not of a certain pull; it goes
 * with the one that is parked then. A worker that offers none for a while, or whose connection is
 * gone, never received it, and it goes back.
 *
 * <p>While it is paused, or in doubt whether its tracker owns the group, pulls are parked as ever
 * and nothing is claimed.
 */
public final class PullService {
  private static final int MAX_SLOTS = 10_000;
  private static final int MAX_LISTED = 50_000;

  private final GroupMemory group;
  private final LostExecutions lost;
  private final TimedExecutor time;
  private final PullingWorkers workers = new PullingWorkers();
  private final PullReplies replies;
  private final ParkedPulls parked;
  private final UnreceivedExecutions unreceived;
  private final EarlyClaims early;
  private final ClaimLoop claims;

  /**
   * Who is asked and told.
   *
   * @param ownsForCertain whether the tracker may go by what it last knew of its ownership
   * @param onLow called when the deque runs low while the store may hold more
   * @param listener told of claims, and of what leaves
   */
  public record Surroundings(
      BooleanSupplier ownsForCertain, Runnable onLow, EngineListener listener) {}

  /**
   * How long it waits for what.
   *
   * @param parkTime how long a pull waits before it is answered empty
   * @param claimAhead how long before its due time a trigger may be claimed; zero to claim nothing
   *     ahead
   */
  public record Waits(Duration parkTime, Duration claimAhead) {}

  public PullService(
      GroupMemory group,
      Claimer claimer,
      ExecutionCompletions ends,
      LostExecutions lost,
      TimedExecutor time,
      Waits waits,
      Surroundings surroundings) {
    this.group = group;
    this.lost = lost;
    this.time = time;
    this.replies =
        new PullReplies(group, lost, surroundings.ownsForCertain(), surroundings.listener(), time);
    this.parked = new ParkedPulls(replies, time, waits.parkTime());
    this.unreceived = new UnreceivedExecutions(group, ends);
    this.early = new EarlyClaims(parked, replies, unreceived, workers, group.leases(), time);
    this.claims =
        new ClaimLoop(
            group,
            claimer,
            parked,
            early,
            replies,
            time,
            new ClaimLoop.Rules(
                waits.claimAhead(),
                surroundings.ownsForCertain(),
                surroundings.onLow(),
                surroundings.listener()));
  }

  /** Renews the worker's leases and answers when there is work, or when the pull has waited. */
  public CompletableFuture<PullReply> pull(Peer worker, PullRequest request) {
    if (request.slots() < 0
        || request.slots() > MAX_SLOTS
        || request.held().size() > MAX_LISTED
        || request.openPulls().size() > MAX_LISTED) {
      return CompletableFuture.failedFuture(
          new RpcException(ErrorCode.BAD_REQUEST, "a pull asks for 0 to " + MAX_SLOTS + " slots"));
    }
    parked.received(worker, request.number());
    workers.pulled(worker, request, time.millis());
    List<Long> neverReceived =
        group
            .leases()
            .renew(
                worker.nodeId(),
                request.number(),
                request.held(),
                request.openPulls(),
                startedAt(request.aliveMillis()),
                time.monotonicMillis());
    CompletableFuture<Void> unused = unreceived.giveBack(neverReceived);
    ParkedPull pull = new ParkedPull(worker, request.number(), request.held(), request.slots());
    pull.loadOnArrival = group.head().loadUnderWay();
    pull.tellsLoss = lost.listed(worker.nodeId(), request.held());
    Runnable answers = parked.admit(pull, request.openPulls());
    answers.run();
    early.send(worker.nodeId());
    claims.dispatch();
    return pull.reply;
  }

  /** The way of the pull makes it look later than it was, which is the careful side. */
  private long startedAt(@Nullable Long aliveMillis) {
    return aliveMillis == null ? Long.MAX_VALUE : time.millis() - aliveMillis;
  }

  /**
   * A connection is gone. Its worker is forgotten, unless it has pulled over a later connection,
   * whose pulls and claims are none of this one's; leases run on in either case.
   */
  public void disconnected(Peer gone) {
    String workerId = gone.nodeId();
    List<Long> neverSent = List.of();
    ParkedPull pull;
    synchronized (parked) {
      pull = parked.unparkOf(gone);
      if (parked.forget(gone)) {
        lost.disconnected(workerId);
        workers.disconnected(workerId, time.millis());
        neverSent = early.remove(workerId);
      }
    }
    CompletableFuture<Void> unused = unreceived.giveBack(neverSent);
    if (pull != null) {
      replies.fail(pull, "the connection is closed");
    }
  }

  /** The slots of the parked pulls: those that workers wait to fill. */
  public int freeSlots() {
    return claims.freeSlots();
  }

  /** The workers that pull here. */
  public PullingWorkers workers() {
    return workers;
  }

  /** These workers get no further work, and no others: what they run ends as ever. */
  public void drain(Collection<Drain> drained) {
    if (workers.drain(drained)) {
      claims.dispatch();
    }
  }

  /** Hands out what is due, if any worker waits for it. Called whenever something falls due. */
  public void dispatch() {
    claims.dispatch();
  }

  /** Answers the parked pulls of the workers that hold these executions, which are to stop. */
  public void tellStop(Collection<Long> executionIds) {
    parked.unparkHolders(executionIds).forEach(pull -> replies.answer(pull, List.of()));
  }

  /**
   * Begins no further claim. Pulls are parked on.
   *
   * @return completed when the claim under way, if there is one, has been answered, and what was
   *     claimed ahead is back
   */
  public CompletableFuture<Void> pause() {
    return claims.pause().thenCompose(unused -> early.giveBackAll());
  }

  /** Claims again. */
  public void resume() {
    claims.resume();
  }

  /**
   * Answers every parked pull; further ones are told that this tracker does not serve the group.
   *
   * @param owner address of the tracker that does, if it is known
   */
  public void close(@Nullable String owner) {
    parked.close(owner).forEach(pull -> pull.reply.complete(PullReply.notOwner(owner)));
    CompletableFuture<Void> unused = early.giveBackAll();
  }
}
