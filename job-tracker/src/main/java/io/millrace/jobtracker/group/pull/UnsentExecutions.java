package io.millrace.jobtracker.group.pull;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.trigger.BoundTo;
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
 * Executions that are claimed and not yet sent to their workers: those that were claimed shortly
 * before their due time, until that time, and parts of runs. Each takes one of the free slots that
 * its worker offers, in any pull, and goes with the pull that is parked when it may be sent. If its
 * worker offers no slot for a while from then on, or is gone, the execution is released with its
 * attempt unchanged.
 *
 * <p>Thread-safe, by the monitor of the {@link ParkedPulls}: the unsent executions of a worker and
 * its parked pull change together.
 */
final class UnsentExecutions {
  /** How long an execution that may be sent waits for its worker to pull. */
  static final Duration PATIENCE = Duration.ofMillis(250);

  /**
   * An execution that is not sent before a time.
   *
   * @param process the worker process for which it was claimed
   * @param from epoch milliseconds: when it is due, or was claimed if that was later
   */
  private record Unsent(Assignment assignment, BoundTo process, long from) {
    static final Comparator<Unsent> ORDER =
        Comparator.comparingLong(Unsent::from).thenComparingLong(Unsent::executionId);

    long executionId() {
      return assignment.executionId();
    }
  }

  private final ParkedPulls parked;
  private final PullReplies replies;
  private final UnreceivedExecutions unreceived;
  private final LeaseTable leases;
  private final TimedExecutor time;
  private final Map<String, TreeSet<Unsent>> byWorker = new HashMap<>();

  UnsentExecutions(
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
   * Keeps executions for their worker, and releases the slots of the triggers that were not
   * claimed; if the worker is gone, releases all slots and the executions. What is due by now is
   * not sent here: {@link #send} does that.
   *
   * @param process the worker process whose slots the triggers took
   * @param slots how many slots the triggers took, whether they were claimed or not
   */
  void settle(BoundTo process, int slots, List<Assignment> assignments) {
    String workerId = process.workerId();
    synchronized (parked) {
      boolean kept = parked.serves(workerId);
      parked.releaseUnsent(workerId, kept ? slots - assignments.size() : slots);
      if (assignments.isEmpty()) {
        return;
      }
      if (kept) {
        keep(process, assignments);
        return;
      }
    }
    CompletableFuture<Void> unused =
        unreceived.giveBack(assignments.stream().map(Assignment::executionId).toList());
  }

  private void keep(BoundTo process, List<Assignment> assignments) {
    String workerId = process.workerId();
    long now = time.millis();
    TreeSet<Unsent> unsent = byWorker.computeIfAbsent(workerId, id -> new TreeSet<>(Unsent.ORDER));
    for (Assignment each : assignments) {
      long dueAt = each.dueAt().toEpochMilli();
      unsent.add(new Unsent(each, process, Math.max(dueAt, now)));
      if (dueAt > now) {
        awaitTime(workerId, dueAt);
      }
    }
    if (hasAny(workerId, now)) {
      at(now + PATIENCE.toMillis(), () -> giveUp(workerId));
    }
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
   * Answers the worker's parked pull with the executions that may be sent. An execution that was
   * asked to stop by now is never sent: once a client has been notified that a job is cancelled,
   * the execution does not begin. Nor is what an earlier process of the worker was to do.
   *
   * @return false if an execution may be sent and no slot is offered for it
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
      for (Unsent each : take(workerId, now, pull == null ? 0 : pull.slots)) {
        if (pull != null
            && pull.process.equals(each.process())
            && leases.send(each.executionId(), pull.number, leasedAt)) {
          pull.leasedAt = leasedAt;
          leaving.add(each.assignment());
        } else {
          withheld.add(each.executionId());
        }
      }
      if (!leaving.isEmpty()) {
        ParkedPull unusedPull = parked.unpark(workerId);
      }
      allSent = !hasAny(workerId, now);
    }
    CompletableFuture<Void> unused = unreceived.giveBack(withheld);
    if (pull != null && !leaving.isEmpty()) {
      replies.answer(pull, leaving);
    }
    return allSent;
  }

  /** Releases executions that are overdue by {@link #PATIENCE}: the worker could have pulled. */
  private void giveUp(String workerId) {
    List<Unsent> overdue;
    synchronized (parked) {
      overdue = take(workerId, time.millis() - PATIENCE.toMillis(), Integer.MAX_VALUE);
    }
    CompletableFuture<Void> unused = unreceived.giveBack(idsOf(overdue));
  }

  /** Removes a worker that is gone; returns its executions that were never sent. */
  List<Long> remove(String workerId) {
    synchronized (parked) {
      Collection<Unsent> unsent = byWorker.remove(workerId);
      if (unsent == null) {
        return List.of();
      }
      parked.releaseUnsent(workerId, unsent.size());
      return idsOf(unsent);
    }
  }

  /** Completes when the triggers of all are waiting again, or their release has failed. */
  CompletableFuture<Void> giveBackAll() {
    List<Long> all = new ArrayList<>();
    synchronized (parked) {
      byWorker.forEach(
          (workerId, unsent) -> {
            parked.releaseUnsent(workerId, unsent.size());
            all.addAll(idsOf(unsent));
          });
      byWorker.clear();
    }
    return unreceived.giveBack(all);
  }

  private List<Unsent> take(String workerId, long until, int most) {
    List<Unsent> taken = new ArrayList<>();
    TreeSet<Unsent> unsent = byWorker.get(workerId);
    while (unsent != null && taken.size() < most && hasAny(workerId, until)) {
      taken.add(unsent.first());
      unsent.remove(unsent.first());
      if (unsent.isEmpty()) {
        byWorker.remove(workerId);
      }
    }
    parked.releaseUnsent(workerId, taken.size());
    return taken;
  }

  /** Whether there is any that may be sent by then. */
  private boolean hasAny(String workerId, long until) {
    TreeSet<Unsent> unsent = byWorker.get(workerId);
    return unsent != null && unsent.first().from() <= until;
  }

  private static List<Long> idsOf(Collection<Unsent> unsent) {
    return unsent.stream().map(Unsent::executionId).toList();
  }
}
