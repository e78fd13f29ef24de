package io.millrace.jobtracker.group.pull;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
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
 * Executions that were claimed shortly before their due time and are sent to their workers at that
 * time. Each takes one of the free slots that its worker offers, in any pull. If its worker offers
 * no slot for a while after the due time, or is gone, the execution is released with its attempt
 * unchanged.
 *
 * <p>Thread-safe, by the monitor of the {@link ParkedPulls}: the early claims of a worker and its
 * parked pull change together.
 */
final class EarlyClaims {
  /** How long a due execution waits for its worker to pull. */
  static final Duration PATIENCE = Duration.ofMillis(250);

  private static final Comparator<Assignment> ORDER =
      Comparator.comparing(Assignment::dueAt).thenComparingLong(Assignment::executionId);

  private final ParkedPulls parked;
  private final PullReplies replies;
  private final UnreceivedExecutions unreceived;
  private final LeaseTable leases;
  private final TimedExecutor time;
  private final Map<String, TreeSet<Assignment>> byWorker = new HashMap<>();

  EarlyClaims(
      ParkedPulls parked,
      PullReplies replies,
      UnreceivedExecutions unreceived,
      LeaseTable leases,
      TimedExecutor time) {
    this.parked = parked;
    this.replies = replies;
    this.unreceived = unreceived;
    this.leases = leases;
    this.time = time;
  }

  /**
   * Keeps the early claims of a worker, and releases the slots of the triggers that were not
   * claimed; if the worker is gone, releases all slots and the executions.
   *
   * @param slots how many slots the triggers took, whether they were claimed or not
   */
  void settle(String workerId, int slots, List<Assignment> assignments) {
    synchronized (parked) {
      boolean kept = parked.serves(workerId);
      parked.releaseAhead(workerId, kept ? slots - assignments.size() : slots);
      if (assignments.isEmpty()) {
        return;
      }
      if (kept) {
        byWorker.computeIfAbsent(workerId, id -> new TreeSet<>(ORDER)).addAll(assignments);
        assignments.forEach(each -> awaitTime(workerId, each.dueAt().toEpochMilli()));
        return;
      }
    }
    CompletableFuture<Void> unused = unreceived.giveBack(idsOf(assignments));
  }

  /** The wheel may be late, and the clock may be corrected: no execution is sent early. */
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
   * Answers the worker's parked pull with the executions that have fallen due. An execution that
   * was asked to stop by now is never sent: once a client has been notified that a job is
   * cancelled, the execution does not begin.
   *
   * @return false if an execution is due and no slot is offered for it
   */
  boolean send(String workerId) {
    List<Assignment> leaving = new ArrayList<>();
    List<Long> withheld = new ArrayList<>();
    ParkedPull pull;
    boolean allSent;
    synchronized (parked) {
      pull = parked.of(workerId);
      long now = time.millis();
      long leasedAt = time.monotonicMillis();
      for (Assignment each : takeDue(workerId, now, pull == null ? 0 : pull.slots)) {
        if (pull != null && leases.send(each.executionId(), pull.number, leasedAt)) {
          pull.leasedAt = leasedAt;
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

  /** Releases executions that are overdue by {@link #PATIENCE}: the worker could have pulled. */
  private void giveUp(String workerId) {
    List<Assignment> overdue;
    synchronized (parked) {
      overdue = takeDue(workerId, time.millis() - PATIENCE.toMillis(), Integer.MAX_VALUE);
    }
    CompletableFuture<Void> unused = unreceived.giveBack(idsOf(overdue));
  }

  /** Removes a worker that is gone; returns its executions that were never sent. */
  List<Long> remove(String workerId) {
    synchronized (parked) {
      Collection<Assignment> early = byWorker.remove(workerId);
      if (early == null) {
        return List.of();
      }
      parked.releaseAhead(workerId, early.size());
      return idsOf(early);
    }
  }

  /** Completes when all early claims are waiting again, or their release has failed. */
  CompletableFuture<Void> giveBackAll() {
    List<Long> all = new ArrayList<>();
    synchronized (parked) {
      byWorker.forEach(
          (workerId, early) -> {
            parked.releaseAhead(workerId, early.size());
            all.addAll(idsOf(early));
          });
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
    parked.releaseAhead(workerId, due.size());
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
