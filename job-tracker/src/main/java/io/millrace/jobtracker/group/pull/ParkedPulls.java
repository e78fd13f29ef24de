package io.millrace.jobtracker.group.pull;

import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pulls of one node group that wait for work, one for each worker, in order of arrival; and the
 * number of each worker's latest pull. Thread-safe: each method is atomic, and a caller that needs
 * several to be atomic holds the monitor of this object.
 */
final class ParkedPulls {
  /** The most triggers in one claim. */
  private static final int MAX_CLAIM = 256;

  private final PullReplies replies;
  private final PullingWorkers workers;
  private final TimedExecutor time;
  private final Duration parkTime;
  private final Map<String, ParkedPull> parked = new LinkedHashMap<>();
  private final Map<String, Long> lastNumbers = new HashMap<>();

  /** The connection over which each worker sent its latest pull. */
  private final Map<String, Peer> connections = new HashMap<>();

  /** How many slots of each worker the early claims take, both made and under way. */
  private final Map<String, Integer> takenAhead = new HashMap<>();

  private boolean closed;
  private @Nullable String movedTo;

  /**
   * @param parkTime how long a pull waits before it is answered empty
   */
  ParkedPulls(PullReplies replies, PullingWorkers workers, TimedExecutor time, Duration parkTime) {
    this.replies = replies;
    this.workers = workers;
    this.time = time;
    this.parkTime = parkTime;
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
    long left = pull.parkedUntil - time.monotonicMillis();
    pull.timeout = time.schedule(Duration.ofMillis(left), () -> expire(pull));
  }

  private void expire(ParkedPull pull) {
    synchronized (this) {
      if (parked.get(pull.worker.nodeId()) != pull) {
        return;
      }
      parked.remove(pull.worker.nodeId());
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

  /** The slots of a parked pull that no early claim takes; 0 if its worker is draining. */
  private int freeSlots(ParkedPull pull) {
    String workerId = pull.worker.nodeId();
    return workers.isDraining(workerId, pull.number)
        ? 0
        : Math.max(0, pull.slots - takenAhead.getOrDefault(workerId, 0));
  }

  /** The free slots of all parked pulls. */
  synchronized int freeSlots() {
    return parked.values().stream().mapToInt(this::freeSlots).sum();
  }

  synchronized boolean hasFreeSlot() {
    return parked.values().stream().anyMatch(pull -> freeSlots(pull) > 0);
  }

  /** Releases slots of a worker that early claims took. */
  synchronized void releaseAhead(String workerId, int slots) {
    takenAhead.computeIfPresent(workerId, (id, taken) -> taken > slots ? taken - slots : null);
  }

  /**
   * Shares triggers out among the parked pulls: one to each in turn, the oldest pull first, so that
   * all waiting workers get an even share, until slots or triggers are used up, or {@link
   * #MAX_CLAIM} are assigned. A pull that gets a due trigger is no longer parked.
   *
   * @param horizon triggers that are due until then may be claimed ahead
   */
  synchronized Assigned assign(WaitingHead head, long now, long horizon) {
    Assigned assigned = new Assigned(new ArrayList<>(), now);
    Map<ParkedPull, Long> bytes = new HashMap<>();
    Deque<ParkedPull> turns = new ArrayDeque<>();
    parked.values().stream().filter(pull -> freeSlots(pull) > 0).forEach(turns::add);
    while (!turns.isEmpty() && assigned.claims().size() < MAX_CLAIM) {
      WaitingTrigger trigger = head.takeForClaim(now, horizon);
      if (trigger == null) {
        break;
      }
      ParkedPull pull = turns.remove();
      Claim claim = new Claim(trigger, pull);
      assigned.claims().add(claim);
      if (assigned.isAhead(claim)) {
        takenAhead.merge(pull.worker.nodeId(), 1, Integer::sum);
      } else {
        pull.slots--;
      }
      long sum = bytes.merge(pull, (long) trigger.params().bytes(), Long::sum);
      if (freeSlots(pull) > 0 && sum < Claimer.MAX_REPLY_BYTES / 2) {
        turns.add(pull);
      }
    }
    assigned.claims().stream()
        .filter(claim -> !assigned.isAhead(claim))
        .forEach(claim -> unpark(claim.pull()));
    return assigned;
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
