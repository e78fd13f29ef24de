package io.millrace.jobtracker.group.pull;

import io.millrace.common.model.Assignment;
import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Executions that were claimed a moment before they are due, and leave for their workers at their
 * time. Each has one of the free slots that its worker offers, whatever pull offers them then. One
 * whose worker offers none for a while after its time, or has gone, goes back with its attempt.
 *
 * <p>Thread-safe, by the monitor of the {@link ParkedPulls}: what is claimed ahead for a worker and
 * its parked pull change together.
 */
final class EarlyClaims {
  /** How long something waits, once it is due, for its worker to pull. */
  static final Duration PATIENCE = Duration.ofMillis(250);

  private static final Comparator<Assignment> ORDER =
      Comparator.comparing(Assignment::dueAt).thenComparingLong(Assignment::executionId);

  private final ParkedPulls parked;
  private final PullReplies replies;
  private final UnreceivedExecutions unreceived;
  private final PullingWorkers workers;
  private final LeaseTable leases;
  private final TimedExecutor time;
  private final Map<String, TreeSet<Assignment>> byWorker = new HashMap<>();

  /** Slots of workers that are meant for what is being claimed. */
  private final Map<String, Integer> reserved = new HashMap<>();

  EarlyClaims(
      ParkedPulls parked,
      PullReplies replies,
      UnreceivedExecutions unreceived,
      PullingWorkers workers,
      LeaseTable leases,
      TimedExecutor time) {
    this.parked = parked;
    this.replies = replies;
    this.unreceived = unreceived;
    this.workers = workers;
    this.leases = leases;
    this.time = time;
  }

  /** The slots of a parked pull that nothing claimed ahead has; none if its worker drains. */
  int freeSlots(ParkedPull pull) {
    String workerId = pull.worker.nodeId();
    if (workers.isDraining(workerId, pull.number)) {
      return 0;
    }
    synchronized (parked) {
      TreeSet<Assignment> early = byWorker.get(workerId);
      int taken = reserved.getOrDefault(workerId, 0) + (early == null ? 0 : early.size());
      return Math.max(0, pull.slots - taken);
    }
  }

  /** Takes a free slot of a worker for something that is to be claimed. */
  void reserve(String workerId) {
    synchronized (parked) {
      reserved.merge(workerId, 1, Integer::sum);
    }
  }

  /**
   * Keeps what a worker is to have of what slots were reserved for, unless it has gone already.
   *
   * @param slots that were reserved for what was claimed, whether it was won or not
   */
  void settle(String workerId, int slots, List<Assignment> assignments) {
    synchronized (parked) {
      reserved.computeIfPresent(workerId, (id, taken) -> taken > slots ? taken - slots : null);
      if (assignments.isEmpty()) {
        return;
      }
      if (parked.serves(workerId)) {
        byWorker.computeIfAbsent(workerId, id -> new TreeSet<>(ORDER)).addAll(assignments);
        assignments.forEach(each -> awaitTime(workerId, each.dueAt().toEpochMilli()));
        return;
      }
    }
    CompletableFuture<Void> unused = unreceived.giveBack(idsOf(assignments));
  }

  /** The wheel may be late, and the clock may be corrected: nothing leaves before its time. */
  private void awaitTime(String workerId, long dueAt) {
    at(
        dueAt,
        () -> {
          if (time.millis() < dueAt) {
            awaitTime(workerId, dueAt);
          } else if (!send(workerId)) {
            at(dueAt + PATIENCE.toMillis(), () -> giveUp(workerId));
          }
        });
  }

  private void at(long epochMillis, Runnable task) {
    Timer.Timeout unused = time.schedule(Duration.ofMillis(epochMillis - time.millis()), task);
  }

  /**
   * Answers the worker's parked pull with what has fallen due. What was asked to stop by now never
   * leaves: a client that was told that a job is cancelled finds that it does not begin.
   *
   * @return false if something is due and no slot is offered for it
   */
  boolean send(String workerId) {
    List<Assignment> leaving = new ArrayList<>();
    List<Long> withheld = new ArrayList<>();
    ParkedPull pull;
    boolean allSent;
    synchronized (parked) {
      pull = parked.of(workerId);
      long now = time.millis();
      for (Assignment each : takeDue(workerId, now, pull == null ? 0 : pull.slots)) {
        if (pull != null && leases.send(each.executionId(), pull.number, time.monotonicMillis())) {
          leaving.add(each);
        } else {
          withheld.add(each.executionId());
        }
      }
      if (!leaving.isEmpty()) {
        ParkedPull unusedPull = parked.unpark(workerId);
      }
      allSent = !hasDue(workerId, now);
    }
    CompletableFuture<Void> unused = unreceived.giveBack(withheld);
    if (pull != null && !leaving.isEmpty()) {
      replies.answer(pull, leaving);
    }
    return allSent;
  }

  /** What the worker could have asked for by now goes back. */
  private void giveUp(String workerId) {
    List<Assignment> overdue;
    synchronized (parked) {
      overdue = takeDue(workerId, time.millis() - PATIENCE.toMillis(), Integer.MAX_VALUE);
    }
    CompletableFuture<Void> unused = unreceived.giveBack(idsOf(overdue));
  }

  /** The worker has gone: forgets and returns what it was to have and never received. */
  List<Long> remove(String workerId) {
    synchronized (parked) {
      Collection<Assignment> early = byWorker.remove(workerId);
      return early == null ? List.of() : idsOf(early);
    }
  }

  /** Completes when nothing is here any more, and all that was is waiting again. */
  CompletableFuture<Void> giveBackAll() {
    List<Long> all = new ArrayList<>();
    synchronized (parked) {
      byWorker.values().forEach(early -> all.addAll(idsOf(early)));
      byWorker.clear();
    }
    return unreceived.giveBack(all);
  }

  private List<Assignment> takeDue(String workerId, long now, int most) {
    List<Assignment> due = new ArrayList<>();
    TreeSet<Assignment> early = byWorker.get(workerId);
    while (early != null && due.size() < most && hasDue(workerId, now)) {
      due.add(early.first());
      early.remove(early.first());
      if (early.isEmpty()) {
        byWorker.remove(workerId);
      }
    }
    return due;
  }

  private boolean hasDue(String workerId, long now) {
    TreeSet<Assignment> early = byWorker.get(workerId);
    return early != null && early.first().dueAt().toEpochMilli() <= now;
  }

  private static List<Long> idsOf(Collection<Assignment> assignments) {
    return assignments.stream().map(Assignment::executionId).toList();
  }
}
