package io.millrace.jobtracker.group.pull;

import io.millrace.common.protocol.PullReply;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pulls of one node group that wait for work, one for each worker, in the order in which they
 * came; and which pull of each worker is the latest. Thread-safe: each method is one step, and a
 * caller that needs several to be one holds the monitor of this object.
 */
final class ParkedPulls {
  private final PullReplies replies;
  private final TimedExecutor time;
  private final Duration parkTime;
  private final Map<String, ParkedPull> parked = new LinkedHashMap<>();
  private final Map<String, Long> lastNumbers = new HashMap<>();

  /** Over which of its connections each worker sent its latest pull. */
  private final Map<String, Peer> connections = new HashMap<>();

  private boolean closed;
  private @Nullable String movedTo;

  /**
   * @param parkTime how long a pull waits before it is answered empty
   */
  ParkedPulls(PullReplies replies, TimedExecutor time, Duration parkTime) {
    this.replies = replies;
    this.time = time;
    this.parkTime = parkTime;
  }

  /**
   * A pull has come in over a connection. Comes before {@link #admit}: what the pull leaves here,
   * the end of an earlier connection does not touch.
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
   * @param open the worker's pulls that it has not given up
   * @return what to answer, to be done without the monitor
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
   * Parks a pull that was unparked for work that was gone: its worker would take an empty answer
   * for an empty queue.
   *
   * @param slots that it gets back
   * @return false if its time is over, a newer pull has come, or its worker is gone
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

  /** The pulls that wait, oldest first: a view, for a caller that holds the monitor. */
  Collection<ParkedPull> all() {
    return Collections.unmodifiableCollection(parked.values());
  }

  synchronized boolean isEmpty() {
    return parked.isEmpty();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Whether the worker may come for what it is to have. */
  synchronized boolean serves(String workerId) {
    return !closed && lastNumbers.containsKey(workerId);
  }

  /** The pull of the worker that waits, or null. */
  synchronized @Nullable ParkedPull of(String workerId) {
    return parked.get(workerId);
  }

  /** Takes the pull of a worker out, to be answered by the caller; null if none waits. */
  synchronized @Nullable ParkedPull unpark(String workerId) {
    ParkedPull pull = parked.remove(workerId);
    Timer.Timeout timeout = pull == null ? null : pull.timeout;
    if (timeout != null) {
      timeout.cancel();
    }
    return pull;
  }

  /** Takes this pull out, to be answered by the caller; false if it does not wait. */
  synchronized boolean unpark(ParkedPull pull) {
    boolean waits = parked.get(pull.worker.nodeId()) == pull;
    if (waits) {
      ParkedPull unused = unpark(pull.worker.nodeId());
    }
    return waits;
  }

  /** Takes out the pulls of the workers that hold any of these executions. */
  synchronized List<ParkedPull> unparkHolders(Collection<Long> executionIds) {
    List<ParkedPull> holders =
        parked.values().stream()
            .filter(pull -> !Collections.disjoint(pull.held, executionIds))
            .toList();
    holders.forEach(this::unpark);
    return holders;
  }

  /** A connection is gone: takes out the pull that came over it; null if none waits. */
  synchronized @Nullable ParkedPull unparkOf(Peer gone) {
    ParkedPull waiting = parked.get(gone.nodeId());
    return waiting != null && waiting.worker.equals(gone) ? unpark(gone.nodeId()) : null;
  }

  /** Forgets a worker, unless it has pulled over a later connection; returns whether it did. */
  synchronized boolean forget(Peer gone) {
    if (!connections.remove(gone.nodeId(), gone)) {
      return false;
    }
    lastNumbers.remove(gone.nodeId());
    return true;
  }

  /**
   * Parks no pull any more: those that come are told who serves the group.
   *
   * @return the pulls that waited, to be answered by the caller
   */
  synchronized List<ParkedPull> close(@Nullable String owner) {
    closed = true;
    movedTo = owner;
    List<ParkedPull> waited = List.copyOf(parked.values());
    parked.clear();
    return waited;
  }
}
