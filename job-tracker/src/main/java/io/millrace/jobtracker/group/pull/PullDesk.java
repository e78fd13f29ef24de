package io.millrace.jobtracker.group.pull;

import io.millrace.common.model.Assignment;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.protocol.PullStatus;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.trigger.AttemptEnd;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.ExecutionEnds;
import io.millrace.jobtracker.store.WorkerStore.Drain;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the workers of one node group wait for work. Renews leases with every pull, parks the pull,
 * and deals due triggers out over the parked pulls, evenly and in order. One claim at a time; what
 * gathers meanwhile goes with the next. Thread-safe.
 *
 * <p>With slots to spare it claims ahead: what falls due in a moment is claimed already, and leaves
 * at its time. Such an execution has a slot of its worker but not of a certain pull; it goes with
 * whichever is parked then. A worker that offers none for a while, or whose connection is gone,
 * never received it, and it goes back.
 *
 * <p>While it is paused, or in doubt whether its tracker owns the group, pulls are parked as ever
 * and nothing is claimed.
 */
public final class PullDesk {
  private static final Logger LOG = LoggerFactory.getLogger(PullDesk.class);
  private static final int MAX_CLAIM = 256;
  private static final int MAX_SLOTS = 10_000;
  private static final int MAX_LISTED = 50_000;

  private final GroupMemory group;
  private final Claimer claimer;
  private final ExecutionEnds ends;
  private final LostExecutions lost;
  private final TimedExecutor time;
  private final Waits waits;
  private final BooleanSupplier ownsForCertain;
  private final Runnable onLow;
  private final EngineListener measures;
  private final Map<String, ParkedPull> parked = new LinkedHashMap<>();
  private final Map<String, Long> lastNumbers = new HashMap<>();

  /** Over which of its connections each worker sent its latest pull. */
  private final Map<String, Peer> connections = new HashMap<>();

  private final EarlyClaims early;
  private final PullingWorkers workers = new PullingWorkers();
  private boolean claiming;
  private boolean paused;
  private boolean closed;
  private @Nullable String movedTo;
  private CompletableFuture<Void> claimUnderWay = CompletableFuture.completedFuture(null);

  /**
   * Whom the desk asks and tells.
   *
   * @param ownsForCertain whether the tracker may go by what it last knew of its ownership
   * @param onLow called when the deque runs low while the store may hold more
   * @param measures told of claims, and of what leaves
   */
  public record Surroundings(
      BooleanSupplier ownsForCertain, Runnable onLow, EngineListener measures) {}

  /**
   * How long it waits for what.
   *
   * @param parkTime how long a pull waits before it is answered empty
   * @param claimAhead how long before its due time a trigger may be claimed; zero to claim nothing
   *     ahead
   */
  public record Waits(Duration parkTime, Duration claimAhead) {}

  public PullDesk(
      GroupMemory group,
      Claimer claimer,
      ExecutionEnds ends,
      LostExecutions lost,
      TimedExecutor time,
      Waits waits,
      Surroundings surroundings) {
    this.group = group;
    this.claimer = claimer;
    this.ends = ends;
    this.lost = lost;
    this.time = time;
    this.waits = waits;
    this.ownsForCertain = surroundings.ownsForCertain();
    this.onLow = surroundings.onLow();
    this.measures = surroundings.measures();
    this.early = new EarlyClaims(this, group.leases(), time, new Exit());
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
    heard(worker, request.number());
    workers.pulled(worker, request, time.millis());
    giveBack(
        group
            .leases()
            .renew(
                worker.nodeId(),
                request.number(),
                request.held(),
                request.openPulls(),
                startedAt(request.aliveMillis()),
                time.monotonicMillis()));
    ParkedPull pull = new ParkedPull(worker, request.number(), request.held(), request.slots());
    pull.loadOnArrival = group.head().loadUnderWay();
    pull.tellsLoss = lost.listed(worker.nodeId(), request.held());
    Runnable replies = admit(pull, request.openPulls());
    replies.run();
    early.send(worker.nodeId());
    dispatch();
    return pull.reply;
  }

  /** Comes first: what the pull leaves here, the end of an earlier connection does not touch. */
  private synchronized void heard(Peer worker, long number) {
    Long last = lastNumbers.get(worker.nodeId());
    if (last == null || number > last) {
      connections.put(worker.nodeId(), worker);
    }
  }

  /** The way of the pull makes it look later than it was, which is the careful side. */
  private long startedAt(@Nullable Long aliveMillis) {
    return aliveMillis == null ? Long.MAX_VALUE : time.millis() - aliveMillis;
  }

  /** Parks the pull or decides its answer; returns what to do outside the lock. */
  private synchronized Runnable admit(ParkedPull pull, List<Long> open) {
    String workerId = pull.worker.nodeId();
    if (closed) {
      String owner = movedTo;
      return () -> pull.reply.complete(PullReply.notOwner(owner));
    }
    Long last = lastNumbers.get(workerId);
    if (last != null && pull.number <= last) {
      return () -> answer(pull, List.of(), null);
    }
    lastNumbers.put(workerId, pull.number);
    ParkedPull before = parked.get(workerId);
    boolean givenUp = before != null && !open.contains(before.number);
    ParkedPull superseded = pull.slots > 0 || givenUp ? unpark(workerId) : null;
    if (pull.slots == 0) {
      return () -> {
        if (superseded != null) {
          answer(superseded, List.of(), null);
        }
        answer(pull, List.of(), null);
      };
    }
    pull.parkedUntil = time.monotonicMillis() + waits.parkTime().toMillis();
    Runnable toSuperseded = () -> {};
    if (superseded != null) {
      boolean carried = !givenUp;
      pull.slots += carried ? superseded.slots : 0;
      toSuperseded = () -> answer(superseded, List.of(), carried ? pull.number : null);
    }
    return parkOrTell(pull, toSuperseded);
  }

  /** A worker that has lost executions must not wait for the next that falls due to learn it. */
  private Runnable parkOrTell(ParkedPull pull, Runnable toSuperseded) {
    if (!pull.tellsLoss) {
      park(pull);
      return toSuperseded;
    }
    return () -> {
      toSuperseded.run();
      answer(pull, List.of(), null);
    };
  }

  private void expire(ParkedPull pull) {
    synchronized (this) {
      if (parked.get(pull.worker.nodeId()) != pull) {
        return;
      }
      parked.remove(pull.worker.nodeId());
    }
    if (!ownsForCertain.getAsBoolean()) {
      pull.reply.completeExceptionally(
          new RpcException(
              ErrorCode.UNAVAILABLE, "whether " + group.name() + " is served here is in doubt"));
    } else if (group.head().isBlind() || sawNoLoadEnd(pull)) {
      // A queue that cannot be read must not look like an empty one.
      tellTrouble(pull, "the waiting queue of " + group.name() + " cannot be read");
    } else {
      answer(pull, List.of(), null);
    }
  }

  /** Whether one load has been under way for as long as the pull has waited. */
  private boolean sawNoLoadEnd(ParkedPull pull) {
    return pull.loadOnArrival != 0 && group.head().loadUnderWay() == pull.loadOnArrival;
  }

  /**
   * A connection is gone. Its worker is forgotten, unless it has pulled over a later connection,
   * whose pulls and claims are none of this one's; leases run on in either case.
   */
  public void disconnected(Peer gone) {
    String workerId = gone.nodeId();
    List<Long> neverSent = List.of();
    ParkedPull pull;
    synchronized (this) {
      ParkedPull waiting = parked.get(workerId);
      pull = waiting != null && waiting.worker.equals(gone) ? unpark(workerId) : null;
      if (connections.remove(workerId, gone)) {
        lastNumbers.remove(workerId);
        lost.disconnected(workerId);
        workers.disconnected(workerId, time.millis());
        neverSent = early.remove(workerId);
      }
    }
    giveBack(neverSent);
    if (pull != null) {
      pull.reply.completeExceptionally(
          new RpcException(ErrorCode.UNAVAILABLE, "the connection is closed"));
    }
  }

  /** The slots of the parked pulls: those that workers wait to fill. */
  public synchronized int freeSlots() {
    return parked.values().stream().mapToInt(this::freeSlots).sum();
  }

  /** The workers that pull here. */
  public PullingWorkers workers() {
    return workers;
  }

  /** These workers get no further work, and no others: what they run ends as ever. */
  public void drain(Collection<Drain> drained) {
    if (workers.drain(drained)) {
      dispatch();
    }
  }

  private int freeSlots(ParkedPull pull) {
    if (workers.isDraining(pull.worker.nodeId(), pull.number)) {
      return 0;
    }
    return Math.max(0, pull.slots - early.count(pull.worker.nodeId()));
  }

  /** Deals out what is due, if anybody waits for it. Called whenever something falls due. */
  public void dispatch() {
    synchronized (this) {
      if (claiming || parked.isEmpty() || !mayClaim() || !hasWork() || !hasFreeSlot()) {
        return;
      }
      claiming = true;
    }
    try {
      time.execute(this::claimNext);
    } catch (RuntimeException e) {
      endClaim();
      throw e;
    }
  }

  /** Asked last: it may look at every parked pull, and mostly nothing is due. */
  private boolean hasFreeSlot() {
    return parked.values().stream().anyMatch(pull -> freeSlots(pull) > 0);
  }

  private boolean hasWork() {
    return group.head().hasDue()
        || group.head().hasDueUntil(time.millis() + waits.claimAhead().toMillis());
  }

  private synchronized boolean mayClaim() {
    return !paused && !closed && ownsForCertain.getAsBoolean();
  }

  private void claimNext() {
    CompletableFuture<Void> underWay = new CompletableFuture<>();
    try {
      Dealt dealt = deal(underWay);
      if (!dealt.claims().isEmpty()) {
        claim(dealt);
      }
    } finally {
      endClaim();
      underWay.complete(null);
    }
    if (group.head().wantsLoad()) {
      onLow.run();
    }
    dispatch();
  }

  private synchronized void endClaim() {
    claiming = false;
  }

  /**
   * What is to be claimed.
   *
   * @param at when it was dealt out: what was due then leaves with the pull that it was dealt to,
   *     which is parked no more; what was not leaves at its time, and its pull waits on
   */
  private record Dealt(List<Claim> claims, long at) {
    boolean isAhead(Claim claim) {
      return claim.trigger().dueAt() > at;
    }

    boolean isAhead(Assignment assignment) {
      return assignment.dueAt().toEpochMilli() > at;
    }
  }

  /** One trigger for each parked pull in turn, until slots, triggers or the batch are used up. */
  private synchronized Dealt deal(CompletableFuture<Void> underWay) {
    long now = time.millis();
    Dealt dealt = new Dealt(new ArrayList<>(), now);
    if (!mayClaim()) {
      return dealt;
    }
    claimUnderWay = underWay;
    Map<ParkedPull, Long> bytes = new HashMap<>();
    Deque<ParkedPull> turns = new ArrayDeque<>();
    parked.values().stream().filter(pull -> freeSlots(pull) > 0).forEach(turns::add);
    long horizon = now + waits.claimAhead().toMillis();
    while (!turns.isEmpty() && dealt.claims().size() < MAX_CLAIM) {
      WaitingTrigger trigger = group.head().takeForClaim(now, horizon);
      if (trigger == null) {
        break;
      }
      ParkedPull pull = turns.remove();
      Claim claim = new Claim(trigger, pull);
      dealt.claims().add(claim);
      if (dealt.isAhead(claim)) {
        early.reserve(pull.worker.nodeId());
      } else {
        pull.slots--;
      }
      long sum = bytes.merge(pull, (long) trigger.params().bytes(), Long::sum);
      if (freeSlots(pull) > 0 && sum < Claimer.MAX_REPLY_BYTES / 2) {
        turns.add(pull);
      }
    }
    dealt.claims().stream()
        .filter(claim -> !dealt.isAhead(claim))
        .forEach(claim -> unpark(claim.pull().worker.nodeId(), claim.pull()));
    return dealt;
  }

  private void claim(Dealt dealt) {
    List<Claim> claims = dealt.claims();
    List<Long> rowIds = claims.stream().map(claim -> claim.trigger().id()).toList();
    Claimer.Claimed claimed;
    long begun = time.clock().nanoTime();
    long now = time.millis();
    Set<Long> missed = new HashSet<>(group.head().missedInClaim(rowIds, now));
    try {
      claimed =
          claimer.claim(
              group.name(),
              claims.stream().filter(claim -> !missed.contains(claim.trigger().id())).toList(),
              now);
    } catch (RuntimeException e) {
      claimed = new Claimer.Claimed(Map.of(), Map.of(), rowIds, List.of(), Optional.of(e));
    }
    measure(claimed, time.clock().nanoTime() - begun);
    Set<Long> unsent = wonAhead(claimed, dealt);
    grantLeases(claimed, unsent);
    Set<Long> left = new HashSet<>(claimed.left());
    left.addAll(missed);
    group.head().putBack(left, time.millis()).forEach(this::awaitDue);
    Set<Long> tooEarly = new HashSet<>(claimed.tooEarly());
    claims.stream()
        .map(Claim::trigger)
        .filter(trigger -> tooEarly.contains(trigger.id()))
        .forEach(this::putBackWhenDue);
    group
        .head()
        .settle(
            rowIds.stream().filter(id -> !left.contains(id) && !tooEarly.contains(id)).toList());
    claimed
        .failure()
        .ifPresent(
            e ->
                LOG.warn("pull: {} triggers of {} were not claimed", left.size(), group.name(), e));
    Map<ParkedPull, List<Claim>> byPull = new LinkedHashMap<>();
    claims.forEach(
        claim -> byPull.computeIfAbsent(claim.pull(), pull -> new ArrayList<>()).add(claim));
    for (Map.Entry<ParkedPull, List<Claim>> one : byPull.entrySet()) {
      int ahead = (int) one.getValue().stream().filter(dealt::isAhead).count();
      answer(one.getKey(), ahead, one.getValue().size() - ahead, claimed, unsent);
    }
  }

  private void measure(Claimer.Claimed claimed, long nanos) {
    int won = claimed.assignments().values().stream().mapToInt(List::size).sum();
    if (won > 0) {
      measures.committed(EngineListener.Commit.CLAIM, won, nanos);
      measures.claimed(group.name(), won);
    }
  }

  /** What came back from a claim that did not happen is on no wheel. */
  private void awaitDue(long dueAt) {
    time.schedule(
        Duration.ofMillis(dueAt - time.millis()),
        () -> {
          group.head().fallDue(time.millis());
          dispatch();
        });
  }

  /** Until then it stays in its claim, so that it is not claimed ahead over and over. */
  private void putBackWhenDue(WaitingTrigger trigger) {
    Timer.Timeout unused =
        time.schedule(
            Duration.ofMillis(trigger.dueAt() - time.millis()),
            () -> {
              group.head().putBack(Set.of(trigger.id()), time.millis()).forEach(this::awaitDue);
              dispatch();
            });
  }

  /** The executions that leave at their time. */
  private static Set<Long> wonAhead(Claimer.Claimed claimed, Dealt dealt) {
    return claimed.assignments().values().stream()
        .flatMap(List::stream)
        .filter(dealt::isAhead)
        .map(Assignment::executionId)
        .collect(Collectors.toSet());
  }

  /**
   * Also to executions of which nobody knows whether they exist. Their worker is not told of them:
   * with its next pull they come back, as such that it never received.
   */
  private void grantLeases(Claimer.Claimed claimed, Set<Long> unsent) {
    long now = time.monotonicMillis();
    claimed
        .pulls()
        .forEach(
            (executionId, pull) -> {
              if (unsent.contains(executionId)) {
                group.leases().grantUnsent(executionId, pull.worker.nodeId(), now);
              } else {
                group.leases().grant(executionId, pull.worker.nodeId(), pull.number, now);
              }
            });
    long millis = time.millis();
    claimed
        .assignments()
        .values()
        .forEach(
            sent ->
                sent.forEach(
                    each ->
                        group
                            .leases()
                            .limit(
                                each.executionId(),
                                each.timeout(),
                                Math.min(0, millis - each.dueAt().toEpochMilli()),
                                now)));
  }

  /**
   * @param ahead how many were dealt to it that were not due
   * @param due how many were dealt to it that were; if none, it has stayed parked
   */
  private void answer(
      ParkedPull pull, int ahead, int due, Claimer.Claimed claimed, Set<Long> unsent) {
    List<Assignment> won = new ArrayList<>();
    List<Assignment> notYetDue = new ArrayList<>();
    claimed
        .assignments()
        .getOrDefault(pull, List.of())
        .forEach(each -> (unsent.contains(each.executionId()) ? notYetDue : won).add(each));
    String workerId = pull.worker.nodeId();
    early.settle(workerId, ahead, notYetDue);
    boolean failed = claimed.failure().isPresent();
    if (!won.isEmpty()) {
      answer(pull, won, null);
    } else if (failed && (due > 0 || unparkIfParked(pull))) {
      tellTrouble(pull, "nothing can be claimed now");
    } else if (due > 0 && !parkAgain(pull, due)) {
      answer(pull, won, null);
    }
    // What fell due while the pull was not parked waits for nothing else.
    early.send(workerId);
  }

  private synchronized boolean unparkIfParked(ParkedPull pull) {
    boolean isParked = parked.get(pull.worker.nodeId()) == pull;
    unpark(pull.worker.nodeId(), pull);
    return isParked;
  }

  /**
   * A pull that was dealt nothing but rows that were gone waits on: its worker would take an empty
   * answer for an empty queue. Unless its second is over, a newer pull has come, or nobody waits.
   */
  private synchronized boolean parkAgain(ParkedPull pull, int dealt) {
    Long last = lastNumbers.get(pull.worker.nodeId());
    boolean waits = last != null && last == pull.number && !closed;
    if (!waits || pull.parkedUntil <= time.monotonicMillis()) {
      return false;
    }
    pull.slots += dealt;
    park(pull);
    return true;
  }

  private void park(ParkedPull pull) {
    parked.put(pull.worker.nodeId(), pull);
    long left = pull.parkedUntil - time.monotonicMillis();
    pull.timeout = time.schedule(Duration.ofMillis(left), () -> expire(pull));
  }

  /** Completes when they are back, or cannot be brought back: then their leases run out. */
  private CompletableFuture<Void> giveBack(List<Long> executionIds) {
    if (executionIds.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    LOG.info("pull: {} executions of {} were never received", executionIds, group.name());
    List<AttemptEnd> back =
        executionIds.stream()
            .map(id -> (AttemptEnd) new AttemptEnd.NeverReceived(id, group.epoch()))
            .toList();
    return CompletableFuture.allOf(ends.end(group.name(), back).toArray(CompletableFuture[]::new))
        .exceptionally(unknown -> null);
  }

  private void answer(ParkedPull pull, List<Assignment> assignments, @Nullable Long carriedTo) {
    pull.reply.complete(reply(pull, assignments, carriedTo, null));
    if (!assignments.isEmpty()) {
      measures.handedOut(group.name(), assignments, time.millis());
    }
  }

  /** The worker is heard all the same, and its leases are renewed: which it is to know. */
  private void tellTrouble(ParkedPull pull, String trouble) {
    pull.reply.complete(reply(pull, List.of(), null, trouble));
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

  /** Answers the parked pulls of the workers that hold these executions, which are to stop. */
  public void tellStop(Collection<Long> executionIds) {
    List<ParkedPull> concerned;
    synchronized (this) {
      concerned =
          parked.values().stream()
              .filter(pull -> !Collections.disjoint(pull.held, executionIds))
              .toList();
      concerned.forEach(pull -> unpark(pull.worker.nodeId(), pull));
    }
    concerned.forEach(pull -> answer(pull, List.of(), null));
  }

  private @Nullable ParkedPull unpark(String workerId) {
    ParkedPull pull = parked.remove(workerId);
    Timer.Timeout timeout = pull == null ? null : pull.timeout;
    if (timeout != null) {
      timeout.cancel();
    }
    return pull;
  }

  private void unpark(String workerId, ParkedPull pull) {
    if (parked.get(workerId) == pull) {
      unpark(workerId);
    }
  }

  /**
   * Begins no further claim. Pulls are parked on.
   *
   * @return completed when the claim under way, if there is one, has been answered, and what was
   *     claimed ahead is back
   */
  public CompletableFuture<Void> pause() {
    CompletableFuture<Void> underWay;
    synchronized (this) {
      paused = true;
      underWay = claimUnderWay.copy();
    }
    return underWay.thenCompose(unused -> early.giveBackAll());
  }

  /** Claims again. */
  public void resume() {
    synchronized (this) {
      paused = false;
    }
    dispatch();
  }

  /**
   * Answers every parked pull; further ones are told that this tracker does not serve the group.
   *
   * @param owner address of the tracker that does, if it is known
   */
  public void close(@Nullable String owner) {
    List<ParkedPull> pulls;
    synchronized (this) {
      closed = true;
      movedTo = owner;
      pulls = List.copyOf(parked.values());
      parked.clear();
    }
    pulls.forEach(pull -> pull.reply.complete(PullReply.notOwner(owner)));
    CompletableFuture<Void> unused = early.giveBackAll();
  }

  /**
   * How what was claimed ahead leaves. Called with the lock of this, but for what is given back.
   */
  private final class Exit implements EarlyClaims.Exit {
    @Override
    public boolean serves(String workerId) {
      return !closed && lastNumbers.containsKey(workerId);
    }

    @Override
    public @Nullable ParkedPull parked(String workerId) {
      return parked.get(workerId);
    }

    @Override
    public void unpark(String workerId) {
      ParkedPull unused = PullDesk.this.unpark(workerId);
    }

    @Override
    public void answer(ParkedPull pull, List<Assignment> assignments) {
      PullDesk.this.answer(pull, assignments, null);
    }

    @Override
    public CompletableFuture<Void> giveBack(List<Long> executionIds) {
      return PullDesk.this.giveBack(executionIds);
    }
  }
}
