package io.millrace.jobtracker.group.pull;

import io.millrace.internal.model.job.WorkerLabels;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.ExecutionCompletions;
import io.millrace.jobtracker.group.worker.PullingWorkers;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives the pulls of the workers of one node group. Renews leases with every pull and parks the
 * pull; the {@link ClaimLoop} answers it when there is work. Thread-safe.
 *
 * <p>If slots are free, a trigger is claimed shortly before its due time, and its execution is sent
 * at that time. The execution has a slot of its worker but not of a certain pull; it goes with the
 * pull that is parked at the due time. If its worker offers no slot for a while, or its connection
 * is closed, the worker never received the execution, and it is released. Parts of runs are sent in
 * the same way as soon as they are claimed, so that what falls due meanwhile finds the pull parked.
 *
 * <p>While the service is paused, or the tracker is not certain that it owns the group, pulls are
 * parked as usual and no trigger is claimed.
 */
public final class PullService {
  private static final int MAX_SLOTS = 10_000;
  private static final int MAX_LISTED = 50_000;

  private final GroupMemory group;
  private final LostExecutions lost;
  private final TimedExecutor time;
  private final PullingWorkers workers;
  private final PullReplies replies;
  private final ParkedPulls parked;
  private final UnreceivedExecutions unreceived;
  private final UnsentExecutions unsent;
  private final ClaimLoop claims;

  /**
   * What the service shares with others, and its callbacks.
   *
   * @param workers receives the pulls
   * @param ownsForCertain whether the ownership that the tracker last read is still certain
   * @param onLow called when the deque runs low while the store may hold more
   * @param listener receives the claims and the assignments that are sent
   */
  public record Surroundings(
      PullingWorkers workers,
      BooleanSupplier ownsForCertain,
      Runnable onLow,
      EngineListener listener) {}

  /**
   * What waits in the service, and for how long.
   *
   * @param parkTime how long a pull waits before it is answered empty
   * @param claimAhead how long before its due time a trigger may be claimed; zero to claim nothing
   *     ahead
   * @param mostAside how many triggers may wait for the worker of their key
   */
  public record Waits(Duration parkTime, Duration claimAhead, int mostAside) {}

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
    this.workers = surroundings.workers();
    this.replies =
        new PullReplies(group, lost, surroundings.ownsForCertain(), surroundings.listener(), time);
    this.parked = new ParkedPulls(replies, workers, time, waits.parkTime(), waits.mostAside());
    this.unreceived = new UnreceivedExecutions(group, ends);
    this.unsent = new UnsentExecutions(parked, replies, unreceived, group.leases(), time);
    this.claims =
        new ClaimLoop(
            group,
            claimer,
            parked,
            unsent,
            replies,
            time,
            new ClaimLoop.Rules(
                waits.claimAhead(),
                surroundings.ownsForCertain(),
                surroundings.onLow(),
                surroundings.listener()));
  }

  /** Renews the worker's leases and answers when there is work, or when the park time is over. */
  public CompletableFuture<PullReply> pull(Peer worker, PullRequest request) {
    String fault = faultOf(request);
    if (fault != null) {
      return CompletableFuture.failedFuture(new RpcException(ErrorCode.BAD_REQUEST, fault));
    }
    long arrivedAt = time.monotonicMillis();
    parked.received(worker, request.number());
    workers.pulled(worker, request, time.millis(), arrivedAt);
    List<Long> neverReceived =
        group
            .leases()
            .renew(
                worker.nodeId(),
                request.number(),
                request.held(),
                request.openPulls(),
                startedAt(request.aliveMillis()),
                arrivedAt);
    CompletableFuture<Void> unused = unreceived.giveBack(neverReceived);
    ParkedPull pull =
        new ParkedPull(worker, request.number(), request.held(), request.slots(), arrivedAt);
    pull.offers = workers.offersOf(worker.nodeId());
    pull.loadOnArrival = group.heads().loadUnderWay();
    pull.reportsLoss = lost.listed(worker.nodeId(), request.held());
    Runnable answers = parked.admit(pull, request.openPulls());
    answers.run();
    unsent.send(worker.nodeId());
    claims.putBackAside(worker.nodeId());
    claims.dispatch();
    return pull.reply;
  }

  private static @Nullable String faultOf(PullRequest request) {
    if (request.slots() < 0
        || request.slots() > MAX_SLOTS
        || request.held().size() > MAX_LISTED
        || request.openPulls().size() > MAX_LISTED
        || isTooMuch(request.progress())) {
      return "a pull must ask for 0 to " + MAX_SLOTS + " slots";
    }
    if (!areFeatures(request.features())) {
      return "a pull may name up to "
          + PullRequest.MAX_FEATURES
          + " features, each of 1 to 32 small letters, digits and hyphens";
    }
    String fault = request.labels() == null ? null : WorkerLabels.faultOf(request.labels());
    return fault == null ? null : "a pull names labels of the worker: " + fault;
  }

  private static boolean areFeatures(@Nullable List<String> names) {
    return names == null
        || (names.size() <= PullRequest.MAX_FEATURES
            && names.stream().allMatch(PullRequest::isFeature));
  }

  private static boolean isTooMuch(@Nullable List<ExecutionProgress> news) {
    return news != null
        && (news.size() > ExecutionProgress.MOST_SHOWN
            || news.stream()
                .map(ExecutionProgress::message)
                .anyMatch(
                    text -> text != null && text.length() > ExecutionProgress.MAX_MESSAGE_CHARS));
  }

  /** The transit time of the pull makes the start look later than it was, which is safe. */
  private long startedAt(@Nullable Long aliveMillis) {
    return aliveMillis == null ? Long.MAX_VALUE : time.millis() - aliveMillis;
  }

  /**
   * Handles the end of a connection. Its worker is removed, unless it has pulled over a later
   * connection, whose pulls and claims are not affected; leases run on in either case.
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
        neverSent = unsent.remove(workerId);
      }
    }
    CompletableFuture<Void> unused = unreceived.giveBack(neverSent);
    claims.putBackAside(workerId);
    if (pull != null) {
      replies.fail(pull, "the connection is closed");
    }
    claims.dispatch();
  }

  /** The free slots of the parked pulls. */
  public int freeSlots() {
    return parked.freeSlots();
  }

  /** The free slots of each worker's parked pull, by node id. */
  public Map<String, Integer> freeSlotsOf() {
    return parked.freeSlotsOf();
  }

  /** The workers that pull for this group. */
  public PullingWorkers workers() {
    return workers;
  }

  /** Replaces the draining workers, which get no further assignments. Their executions run on. */
  public void drain(Collection<Drain> drained) {
    if (workers.drain(drained)) {
      claims.dispatch();
    }
  }

  /** Starts a claim if any worker waits for due triggers. Called whenever a trigger falls due. */
  public void dispatch() {
    claims.dispatch();
  }

  /** Answers the parked pulls of the workers that hold these executions, which must stop. */
  public void notifyStop(Collection<Long> executionIds) {
    parked.unparkHolders(executionIds).forEach(pull -> replies.answer(pull, List.of()));
  }

  /**
   * Starts no further claim. Pulls are still parked.
   *
   * @return completed when the claims under way have been answered, and what was not sent has been
   *     released
   */
  public CompletableFuture<Void> pause() {
    return claims.pause().thenCompose(unused -> unsent.giveBackAll());
  }

  /** Resumes claiming. */
  public void resume() {
    claims.resume();
  }

  /**
   * Answers every parked pull; later pulls receive the reply that this tracker does not serve the
   * group.
   *
   * @param owner address of the tracker that serves it, if known
   */
  public void close(@Nullable String owner) {
    parked.close(owner).forEach(pull -> pull.reply.complete(PullReply.notOwner(owner)));
    CompletableFuture<Void> unused = unsent.giveBackAll();
  }
}
