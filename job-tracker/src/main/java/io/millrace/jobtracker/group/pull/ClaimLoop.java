package io.millrace.jobtracker.group.pull;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.EngineListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims triggers that are due or about to be due, for the waiting workers of one node group:
 * {@link ParkedPulls} assigns triggers to their pulls; this class claims them in one transaction,
 * and answers. One claim of each {@link ClaimKind} at a time; triggers that gather meanwhile go
 * with the next claim. Thread-safe: assignments of triggers to pulls change under the monitor of
 * the {@link ParkedPulls}.
 */
final class ClaimLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimLoop.class);

  /**
   * How often it is looked whether triggers have waited long enough for the worker of their key.
   */
  private static final Duration LOOK_ASIDE = Duration.ofMillis(250);

  /** How long a trigger waits for another worker if the one that asked for work cannot run it. */
  private static final Duration WAIT_FOR_OTHERS = Duration.ofSeconds(1);

  /**
   * The rules of the loop, and its receivers.
   *
   * @param claimAhead how long before its due time a trigger may be claimed
   * @param ownsForCertain whether the ownership that the tracker last read is still certain
   * @param onLow called when the deque runs low while the store may hold more
   * @param listener receives the claims
   */
  record Rules(
      Duration claimAhead,
      BooleanSupplier ownsForCertain,
      Runnable onLow,
      EngineListener listener) {}

  private final GroupMemory group;
  private final Claimer claimer;
  private final ParkedPulls parked;
  private final UnsentExecutions unsent;
  private final PullReplies replies;
  private final TimedExecutor time;
  private final Rules rules;

  /** What is being claimed, or will be as soon as there is a thread. */
  private final Set<ClaimKind> begun = EnumSet.noneOf(ClaimKind.class);

  /** Claims that have triggers assigned and not all answered. */
  private final Map<ClaimKind, CompletableFuture<Void>> underWay = new EnumMap<>(ClaimKind.class);

  private boolean lookingAside;
  private boolean paused;

  ClaimLoop(
      GroupMemory group,
      Claimer claimer,
      ParkedPulls parked,
      UnsentExecutions unsent,
      PullReplies replies,
      TimedExecutor time,
      Rules rules) {
    this.group = group;
    this.claimer = claimer;
    this.parked = parked;
    this.unsent = unsent;
    this.replies = replies;
    this.time = time;
    this.rules = rules;
  }

  /** Starts a claim if a worker waits for triggers. Called whenever a trigger falls due. */
  void dispatch() {
    ClaimKind kind;
    synchronized (parked) {
      kind = next();
      if (kind == null) {
        return;
      }
      begun.add(kind);
    }
    try {
      time.execute(() -> claimNext(kind));
    } catch (RuntimeException e) {
      endClaim(kind);
      throw e;
    }
  }

  /** What may be claimed beside the claims under way; null if there is nothing. */
  private @Nullable ClaimKind next() {
    if (parked.isEmpty() || !mayClaim()) {
      return null;
    }
    if (isNext(ClaimKind.OTHERS)) {
      return ClaimKind.OTHERS;
    }
    return isNext(ClaimKind.PARTS) ? ClaimKind.PARTS : null;
  }

  private boolean isNext(ClaimKind kind) {
    return !begun.contains(kind) && parked.haveWork(group.heads(), horizon(), kind);
  }

  /** Triggers that fall due until then may be claimed. */
  private long horizon() {
    return time.millis() + rules.claimAhead().toMillis();
  }

  private boolean mayClaim() {
    return !paused && !parked.isClosed() && rules.ownsForCertain().getAsBoolean();
  }

  private void claimNext(ClaimKind kind) {
    try {
      Assigned assigned = assign(kind);
      try {
        // Work may be left for a claim of the other kind.
        dispatch();
      } finally {
        if (!assigned.claims().isEmpty()) {
          claim(assigned);
        }
      }
      lookAside();
    } finally {
      endClaim(kind);
    }
    if (group.heads().wantsLoad()) {
      rules.onLow().run();
    }
    dispatch();
  }

  private void endClaim(ClaimKind kind) {
    CompletableFuture<Void> ended;
    synchronized (parked) {
      begun.remove(kind);
      ended = underWay.remove(kind);
    }
    if (ended != null) {
      ended.complete(null);
    }
  }

  private Assigned assign(ClaimKind kind) {
    synchronized (parked) {
      long now = time.millis();
      if (!mayClaim()) {
        return new Assigned(kind, List.of(), now);
      }
      underWay.put(kind, new CompletableFuture<>());
      return parked.assign(group.heads(), now, now + rules.claimAhead().toMillis(), kind);
    }
  }

  private void claim(Assigned assigned) {
    List<Claim> claims = assigned.claims();
    List<Long> rowIds = claims.stream().map(claim -> claim.trigger().id()).toList();
    Claimed claimed;
    long begun = time.clock().nanoTime();
    long now = time.millis();
    Set<Long> missed = group.heads().missedInClaim(rowIds, now);
    try {
      claimed =
          claimer.claim(
              group.name(),
              claims.stream().filter(claim -> !missed.contains(claim.trigger().id())).toList(),
              now);
    } catch (RuntimeException e) {
      claimed = Claimed.nothing(rowIds, e);
    }
    int won = claimed.won().size();
    if (won > 0) {
      long nanos = time.clock().nanoTime() - begun;
      rules.listener().committed(EngineListener.Commit.CLAIM, won, nanos);
      rules.listener().claimed(group.name(), won);
    }
    Set<Long> apart =
        claimed.won().stream()
            .filter(assigned::isSentApart)
            .map(Assignment::executionId)
            .collect(Collectors.toSet());
    grantLeases(claimed, apart);
    settle(claims, rowIds, missed, claimed);
    answerAll(assigned, claimed, apart);
  }

  /**
   * Grants leases, also to executions that may not exist. Such an execution is not sent to its
   * worker; the worker's next pull releases it as never received.
   */
  private void grantLeases(Claimed claimed, Set<Long> apart) {
    long now = time.monotonicMillis();
    claimed
        .pulls()
        .forEach(
            (executionId, pull) -> {
              if (apart.contains(executionId)) {
                group.leases().grantUnsent(executionId, pull.worker.nodeId(), now);
              } else {
                group.leases().grant(executionId, pull.worker.nodeId(), pull.number, now);
                pull.leasedAt = now;
              }
            });
    long millis = time.millis();
    for (Assignment each : claimed.won()) {
      long sinceDue = Math.min(0, millis - each.dueAt().toEpochMilli());
      group.leases().limit(each.executionId(), each.timeout(), sinceDue, now);
    }
  }

  /** Waits for the workers of the triggers that were set aside; one timer while there are any. */
  private void lookAside() {
    synchronized (parked) {
      if (lookingAside || !parked.hasAside()) {
        return;
      }
      lookingAside = true;
    }
    time.schedule(
        LOOK_ASIDE,
        () -> {
          synchronized (parked) {
            lookingAside = false;
          }
          putBack(parked.releaseOverdue());
          lookAside();
          dispatch();
        });
  }

  /** Offers again what waits for a worker that asks for work, or that is gone. */
  void putBackAside(String workerId) {
    putBack(parked.releaseAside(workerId));
  }

  private void putBack(Collection<Long> rowIds) {
    if (!rowIds.isEmpty()) {
      group.heads().putBack(rowIds, time.millis()).forEach(this::awaitDue);
    }
  }

  /** Reports to the head which triggers are gone, which wait, and which wait until they are due. */
  private void settle(List<Claim> claims, List<Long> rowIds, Set<Long> missed, Claimed claimed) {
    Set<Long> left = new HashSet<>(claimed.left());
    left.addAll(missed);
    putBack(left);
    Set<Long> tooEarly = new HashSet<>(claimed.tooEarly());
    claims.stream()
        .map(Claim::trigger)
        .filter(trigger -> tooEarly.contains(trigger.id()))
        .forEach(this::putBackWhenDue);
    group
        .heads()
        .settle(
            rowIds.stream().filter(id -> !left.contains(id) && !tooEarly.contains(id)).toList());
    claimed
        .failure()
        .ifPresent(
            e ->
                LOG.warn(
                    "pull: {} triggers of {} could not be claimed", left.size(), group.name(), e));
  }

  /** Schedules the due time of triggers that were put back: they are no longer on the wheel. */
  private void awaitDue(long dueAt) {
    time.schedule(
        Duration.ofMillis(dueAt - time.millis()),
        () -> {
          group.heads().fallDue(time.millis());
          dispatch();
        });
  }

  /**
   * Until then the trigger stays in its claim, so that it is not claimed ahead repeatedly, nor
   * offered again and again to workers that cannot run it.
   */
  private void putBackWhenDue(WaitingTrigger trigger) {
    Duration untilDue = Duration.ofMillis(trigger.dueAt() - time.millis());
    Timer.Timeout unused =
        time.schedule(
            untilDue.isNegative() || untilDue.isZero() ? WAIT_FOR_OTHERS : untilDue,
            () -> {
              putBack(Set.of(trigger.id()));
              dispatch();
            });
  }

  private void answerAll(Assigned assigned, Claimed claimed, Set<Long> apart) {
    Map<ParkedPull, List<Claim>> byPull = new LinkedHashMap<>();
    assigned
        .claims()
        .forEach(
            claim -> byPull.computeIfAbsent(claim.pull(), pull -> new ArrayList<>()).add(claim));
    byPull.forEach(
        (pull, claims) -> {
          int sentApart = (int) claims.stream().filter(assigned::isSentApart).count();
          answer(pull, sentApart, claims.size() - sentApart, claimed, apart);
        });
  }

  /**
   * @param sentApart how many triggers were assigned whose executions are sent apart from the pull
   * @param sentWithIt how many others were assigned; if none, the pull has stayed parked
   * @param apart the executions that are sent apart
   */
  private void answer(
      ParkedPull pull, int sentApart, int sentWithIt, Claimed claimed, Set<Long> apart) {
    List<Assignment> now = new ArrayList<>();
    List<Assignment> later = new ArrayList<>();
    claimed
        .assignments()
        .getOrDefault(pull, List.of())
        .forEach(each -> (apart.contains(each.executionId()) ? later : now).add(each));
    if (sentApart > 0) {
      unsent.settle(pull.process, sentApart, later);
    }
    boolean failed = claimed.failure().isPresent();
    if (!now.isEmpty()) {
      replies.answer(pull, now);
    } else if (failed && (sentWithIt > 0 || parked.unpark(pull))) {
      replies.answerTrouble(pull, "no trigger can be claimed now");
    } else if (sentWithIt > 0 && !parked.parkAgain(pull, sentWithIt)) {
      replies.answer(pull, now);
    }
    // No timer sends parts, nor what fell due while the pull was not parked.
    unsent.send(pull.worker.nodeId());
  }

  /** Starts no further claim; completes when the claims under way have been answered. */
  CompletableFuture<Void> pause() {
    synchronized (parked) {
      paused = true;
      return CompletableFuture.allOf(underWay.values().toArray(CompletableFuture[]::new));
    }
  }

  /** Resumes claiming. */
  void resume() {
    synchronized (parked) {
      paused = false;
    }
    dispatch();
  }
}
