package io.millrace.jobtracker.group.pull;

import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.waiting.StickyWaits;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.domain.waiting.WaitingHeads.LaneHead;
import io.millrace.jobtracker.group.worker.PullingWorkers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pulls of one node group that wait for work, one for each worker, in order of arrival; and the
 * number of each worker's latest pull. Thread-safe: each method is atomic, and a caller that needs
 * several to be atomic holds the monitor of this object.
 */
final class ParkedPulls {
  private final PullReplies replies;
  private final PullingWorkers workers;
  private final TimedExecutor time;
  private final Duration parkTime;
  private final Map<String, ParkedPull> parked = new LinkedHashMap<>();
  private final Map<String, Long> lastNumbers = new HashMap<>();

  /** The connection over which each worker sent its latest pull. */
  private final Map<String, Peer> connections = new HashMap<>();

  /**
   * How many slots of each worker are taken by {@link UnsentExecutions}, and by claims under way
   * whose executions will be among these.
   */
  private final Map<String, Integer> takenByUnsent = new HashMap<>();

  private final StickyWaits sticky;
  private boolean closed;
  private @Nullable String movedTo;

  /**
   * @param parkTime how long a pull waits before it is answered empty
   * @param mostAside how many triggers may wait for the worker of their key
   */
  ParkedPulls(
      PullReplies replies,
      PullingWorkers workers,
      TimedExecutor time,
      Duration parkTime,
      int mostAside) {
    this.replies = replies;
    this.workers = workers;
    this.time = time;
    this.parkTime = parkTime;
    this.sticky = new StickyWaits(mostAside);
  }

  /**
   * Records that a pull arrived over a connection. Called before {@link #admit}: the end of an
   * earlier connection then does not affect what the pull leaves here.
   */
  synchronized void received(Peer worker, long number) {
    Long last = lastNumbers.get(worker.nodeId());
    if (last == null || number > last) {
      connections.put(worker.nodeId(), worker);
    }
  }

  /**
   * Parks the pull or decides its answer.
   *
   * @param open numbers of the worker's pulls that it has not given up
   * @return the answers to send, to be run without the monitor
   */
  synchronized Runnable admit(ParkedPull pull, List<Long> open) {
    String workerId = pull.worker.nodeId();
    if (closed) {
      String owner = movedTo;
      return () -> pull.reply.complete(PullReply.notOwner(owner));
    }
    Long last = lastNumbers.get(workerId);
    if (last != null && pull.number <= last) {
      return () -> replies.answer(pull, List.of());
    }
    lastNumbers.put(workerId, pull.number);
    ParkedPull before = parked.get(workerId);
    boolean givenUp = before != null && !open.contains(before.number);
    ParkedPull superseded = pull.slots > 0 || givenUp ? unpark(workerId) : null;
    if (pull.slots == 0) {
      return () -> {
        if (superseded != null) {
          replies.answer(superseded, List.of());
        }
        replies.answer(pull, List.of());
      };
    }
    pull.parkedUntil = time.monotonicMillis() + parkTime.toMillis();
    Runnable toSuperseded = () -> {};
    if (superseded != null) {
      boolean carried = !givenUp;
      pull.slots += carried ? superseded.slots : 0;
      toSuperseded =
          carried
              ? () -> replies.answerCarried(superseded, pull.number)
              : () -> replies.answer(superseded, List.of());
    }
    return parkOrReply(pull, toSuperseded);
  }

  /** A worker that has lost executions is notified at once, not when the next trigger falls due. */
  private Runnable parkOrReply(ParkedPull pull, Runnable toSuperseded) {
    if (!pull.reportsLoss) {
      park(pull);
      return toSuperseded;
    }
    return () -> {
      toSuperseded.run();
      replies.answer(pull, List.of());
    };
  }

  private void park(ParkedPull pull) {
    parked.put(pull.worker.nodeId(), pull);
    sticky.hadSlot(pull.worker.nodeId(), time.monotonicMillis());
    long left = pull.parkedUntil - time.monotonicMillis();
    pull.timeout = time.schedule(Duration.ofMillis(left), () -> expire(pull));
  }

  private void expire(ParkedPull pull) {
    synchronized (this) {
      if (parked.get(pull.worker.nodeId()) != pull) {
        return;
      }
      parked.remove(pull.worker.nodeId());
      noteFree(pull);
    }
    replies.answerExpired(pull);
  }

  /**
   * Parks a pull again that was unparked for work that was gone. Its worker would take an empty
   * answer for an empty queue.
   *
   * @param slots the slots that the pull gets back
   * @return false if its park time is over, a newer pull has arrived, its worker is gone, or the
   *     group is closed
   */
  synchronized boolean parkAgain(ParkedPull pull, int slots) {
    Long last = lastNumbers.get(pull.worker.nodeId());
    boolean waits = last != null && last == pull.number && !closed;
    if (!waits || pull.parkedUntil <= time.monotonicMillis()) {
      return false;
    }
    pull.slots += slots;
    park(pull);
    return true;
  }

  /** The slots of a parked pull that no unsent execution takes; 0 if its worker is draining. */
  private int freeSlots(ParkedPull pull) {
    String workerId = pull.worker.nodeId();
    return workers.isDraining(workerId, pull.number)
        ? 0
        : Math.max(0, pull.slots - takenByUnsent.getOrDefault(workerId, 0));
  }

  /** The free slots of each parked pull, by the node id of its worker. */
  synchronized Map<String, Integer> freeSlotsOf() {
    Map<String, Integer> free = new HashMap<>();
    parked.forEach((workerId, pull) -> free.put(workerId, freeSlots(pull)));
    return free;
  }

  /** The free slots of all parked pulls. */
  synchronized int freeSlots() {
    return parked.values().stream().mapToInt(this::freeSlots).sum();
  }

  /**
   * Whether any trigger of the kind is due by then that a worker with a free slot may run. Work and
   * slots are asked for together: apart, a trigger that no parked worker may run would start claim
   * after claim.
   */
  synchronized boolean haveWork(WaitingHeads heads, long until, ClaimKind kind) {
    long now = time.millis();
    return heads.hasWork(until, lane -> ClaimKind.of(lane) == kind && isServed(lane, kind))
        || (kind == ClaimKind.PARTS
            && !heads.bound().isEmpty()
            && parked.values().stream()
                .anyMatch(
                    pull ->
                        heads.bound().first(pull.process, now, until) != null
                            && freeSlots(pull, kind) > 0));
  }

  private boolean isServed(Lane lane, ClaimKind kind) {
    return parked.values().stream()
        .anyMatch(pull -> pull.serves(lane) && freeSlots(pull, kind) > 0);
  }

  /** The slots of a parked pull that a claim of this kind may take. */
  private int freeSlots(ParkedPull pull, ClaimKind kind) {
    return kind.slotsOf(freeSlots(pull));
  }

  /** Releases slots of a worker that unsent executions took. */
  synchronized void releaseUnsent(String workerId, int slots) {
    takenByUnsent.computeIfPresent(workerId, (id, taken) -> taken > slots ? taken - slots : null);
  }

  /**
   * Shares triggers out among the parked pulls: one to each in turn, the oldest pull first, so that
   * all waiting workers get an even share, until slots or triggers are used up, or as many are
   * assigned as a claim of this kind may have. The next trigger is the first one of all lanes that
   * any of the pulls may serve, or a part that is for the worker of one of them alone, if that goes
   * before it. A pull is no longer parked if it gets a trigger that is not sent apart.
   *
   * @param horizon triggers that are due until then may be claimed ahead
   */
  synchronized Assigned assign(WaitingHeads heads, long now, long horizon, ClaimKind kind) {
    Assigned assigned = new Assigned(kind, new ArrayList<>(), now);
    Turns turns =
        new Turns(
            slotsFor(kind),
            heads,
            new Turns.Keys(sticky, workers, time.monotonicMillis()),
            now,
            horizon);
    Set<Lane> unserved = new HashSet<>();
    int parts = 0;
    while (!turns.isOver() && assigned.claims().size() < kind.most()) {
      LaneHead from = heads.first(now, horizon, lane -> !unserved.contains(lane));
      boolean isPart = turns.isPartNext(from);
      if (isPart && parts == kind.mostParts()) {
        break;
      }
      Claim claim = turns.takeBound(from);
      if (claim == null) {
        if (from == null) {
          break;
        }
        if (!turns.areAnyFor(from.lane())) {
          unserved.add(from.lane());
          continue;
        }
        claim = turns.take(from);
      }
      if (claim != null) {
        add(assigned, claim);
        parts += isPart ? 1 : 0;
        turns.got(claim);
      }
    }
    assigned.claims().stream()
        .filter(claim -> !assigned.isSentApart(claim))
        .forEach(claim -> unpark(claim.pull()));
    return assigned;
  }

  /** The pulls of which a claim of this kind may take slots, in order of arrival, and how many. */
  private Map<ParkedPull, Integer> slotsFor(ClaimKind kind) {
    Map<ParkedPull, Integer> slots = new LinkedHashMap<>();
    parked.values().forEach(pull -> slots.put(pull, freeSlots(pull, kind)));
    slots.values().removeIf(free -> free == 0);
    return slots;
  }

  private void noteFree(ParkedPull pull) {
    if (freeSlots(pull) > 0) {
      sticky.hadSlot(pull.worker.nodeId(), time.monotonicMillis());
    }
  }

  /** Whether triggers wait for the worker of their key. */
  synchronized boolean hasAside() {
    return !sticky.isEmpty();
  }

  /** Returns the triggers that a worker has free slots for now, or all of one that is gone. */
  synchronized List<Long> releaseAside(String workerId) {
    ParkedPull pull = parked.get(workerId);
    return lastNumbers.containsKey(workerId)
        ? sticky.release(workerId, pull == null ? 0 : freeSlots(pull))
        : sticky.forget(workerId);
  }

  /** Returns the triggers whose worker has had no free slot for too long. */
  synchronized List<Long> releaseOverdue() {
    return sticky.releaseOverdue(time.monotonicMillis());
  }

  private void add(Assigned assigned, Claim claim) {
    sticky.hadSlot(claim.pull().worker.nodeId(), time.monotonicMillis());
    assigned.claims().add(claim);
    if (assigned.isSentApart(claim)) {
      takenByUnsent.merge(claim.pull().worker.nodeId(), 1, Integer::sum);
    } else {
      claim.pull().slots--;
    }
  }

  synchronized boolean isEmpty() {
    return parked.isEmpty();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Whether the worker may still pull for its assignments. */
  synchronized boolean serves(String workerId) {
    return !closed && lastNumbers.containsKey(workerId);
  }

  /** The parked pull of the worker, or null. */
  synchronized @Nullable ParkedPull of(String workerId) {
    return parked.get(workerId);
  }

  /** Removes the parked pull of a worker, to be answered by the caller; null if there is none. */
  synchronized @Nullable ParkedPull unpark(String workerId) {
    ParkedPull pull = parked.remove(workerId);
    if (pull != null) {
      noteFree(pull);
      Timer.cancel(pull.timeout);
    }
    return pull;
  }

  /** Removes this pull, to be answered by the caller; false if it is not parked. */
  synchronized boolean unpark(ParkedPull pull) {
    boolean waits = parked.get(pull.worker.nodeId()) == pull;
    if (waits) {
      ParkedPull unused = unpark(pull.worker.nodeId());
    }
    return waits;
  }

  /** Removes the parked pulls of the workers that hold any of these executions. */
  synchronized List<ParkedPull> unparkHolders(Collection<Long> executionIds) {
    List<ParkedPull> holders =
        parked.values().stream()
            .filter(pull -> !Collections.disjoint(pull.held, executionIds))
            .toList();
    holders.forEach(this::unpark);
    return holders;
  }

  /** Removes the parked pull that arrived over a closed connection; null if there is none. */
  synchronized @Nullable ParkedPull unparkOf(Peer gone) {
    ParkedPull waiting = parked.get(gone.nodeId());
    return waiting != null && waiting.worker.equals(gone) ? unpark(gone.nodeId()) : null;
  }

  /** Removes a worker, unless it has pulled over a later connection; returns whether it did. */
  synchronized boolean forget(Peer gone) {
    if (!connections.remove(gone.nodeId(), gone)) {
      return false;
    }
    lastNumbers.remove(gone.nodeId());
    return true;
  }

  /**
   * Stops parking pulls: later pulls receive the address of the tracker that serves the group.
   *
   * @return the parked pulls, to be answered by the caller
   */
  synchronized List<ParkedPull> close(@Nullable String owner) {
    closed = true;
    movedTo = owner;
    List<ParkedPull> waited = List.copyOf(parked.values());
    parked.clear();
    return waited;
  }
}
