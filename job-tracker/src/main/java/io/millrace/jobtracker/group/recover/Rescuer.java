package io.millrace.jobtracker.group.recover;

import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GapDetector;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.engine.ExecutionCompletions;
import io.millrace.jobtracker.store.ExecutingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the executions of one node group whose lease has run out, or whose time-out passed long ago
 * although their worker lets them run on. If the rescuer finds itself late by half a lease, the
 * workers may have been unable to renew for the same reason; then every lease starts anew. Driven
 * by one timer, which never overlaps its own runs.
 */
public final class Rescuer {
  private static final Logger LOG = LoggerFactory.getLogger(Rescuer.class);
  private static final int PAGE = 1_000;

  private final GroupMemory group;
  private final ExecutingStore executing;
  private final ExecutionCompletions ends;
  private final TimedExecutor time;
  private final GapDetector gaps;
  private final long leaseMillis;
  private CompletableFuture<?> underWay = CompletableFuture.completedFuture(true);

  /**
   * @param gaps notices that a run is late
   * @param leaseMillis length of a worker's lease
   */
  public Rescuer(
      GroupMemory group,
      ExecutingStore executing,
      ExecutionCompletions ends,
      TimedExecutor time,
      GapDetector gaps,
      long leaseMillis) {
    this.group = group;
    this.executing = executing;
    this.ends = ends;
    this.time = time;
    this.gaps = gaps;
    this.leaseMillis = leaseMillis;
  }

  /**
   * Gives a whole lease to every execution left by an earlier owner, and returns how many there
   * were.
   */
  public int adoptAll() {
    return adoptClaimedBefore(Long.MAX_VALUE);
  }

  /**
   * Gives a lease to executions that were claimed more than a lease ago and have none, and returns
   * how many there were. They come from claims whose commit took effect although this tracker could
   * not tell. Younger ones are skipped: their claim may be about to grant the lease itself. Also
   * marks executions that another tracker has asked to stop or terminated, so that their worker is
   * notified.
   */
  public int adoptStrays(long nowMillis) {
    int strays = adoptClaimedBefore(nowMillis - leaseMillis);
    if (strays > 0) {
      LOG.warn(
          "recover: {} executions of {} had no lease; leases were created", strays, group.name());
    }
    return strays;
  }

  private int adoptClaimedBefore(long claimedBefore) {
    int adopted = 0;
    long last = Long.MIN_VALUE;
    List<Execution> page;
    do {
      page = executing.findByGroup(group.name(), last, PAGE);
      for (Execution execution : page) {
        last = execution.id();
        if (execution.claimedAt() < claimedBefore && adopt(execution)) {
          adopted++;
        }
        if (execution.stopRequested()) {
          group.leases().requestStop(List.of(execution.id()));
        }
        if (execution.terminatedBy() != null) {
          group.leases().terminate(List.of(execution.id()));
        }
      }
    } while (page.size() == PAGE);
    return adopted;
  }

  private boolean adopt(Execution execution) {
    long now = time.monotonicMillis();
    boolean adopted =
        group
            .leases()
            .adopt(
                execution.id(),
                execution.workerId(),
                execution.claimedAt(),
                execution.stopRequested(),
                now);
    if (adopted) {
      group
          .leases()
          .limit(
              execution.id(),
              execution.spec().timeout(),
              time.millis() - execution.mayBeginAt(),
              now);
    }
    return adopted;
  }

  /** Ends executions that have run out; returns how many, 0 if late or still ending others. */
  public int runOnce() {
    long now = time.monotonicMillis();
    if (!gaps.look(now)) {
      LOG.warn(
          "recover: this run is late by half a lease; the leases of {} were extended",
          group.name());
      group.leases().extendAll(now);
      return 0;
    }
    if (!underWay.isDone()) {
      return 0;
    }
    List<Long> expired = group.leases().expired(now);
    LeaseTable.Overdue overdue = group.leases().overdue(now);
    List<AttemptOutcome> toEnd = new ArrayList<>();
    if (!expired.isEmpty()) {
      LOG.warn("recover: leases of executions {} of {} expired", expired, group.name());
      expired.forEach(id -> toEnd.add(new AttemptOutcome.LeaseExpired(id, group.epoch())));
    }
    toEnd.addAll(timedOut(overdue, Set.copyOf(expired)));
    if (!toEnd.isEmpty()) {
      end(toEnd);
    }
    return toEnd.size();
  }

  /** The reply to a worker's next pull names the executions to stop. */
  private List<AttemptOutcome> timedOut(LeaseTable.Overdue overdue, Set<Long> expired) {
    if (!overdue.toStop().isEmpty()) {
      LOG.warn(
          "recover: executions {} of {} exceeded their time-outs; their workers are notified"
              + " to stop them",
          overdue.toStop(),
          group.name());
    }
    List<Long> ignored = overdue.toEnd().stream().filter(id -> !expired.contains(id)).toList();
    if (!ignored.isEmpty()) {
      LOG.warn(
          "recover: executions {} of {} timed out, and their workers did not stop them",
          ignored,
          group.name());
    }
    return ignored.stream()
        .map(id -> (AttemptOutcome) new AttemptOutcome.TimedOut(id, group.epoch()))
        .toList();
  }

  private void end(List<AttemptOutcome> toEnd) {
    List<CompletableFuture<CompletionStatus>> answers = ends.end(group.name(), toEnd);
    for (int i = 0; i < answers.size(); i++) {
      List<Long> id = List.of(toEnd.get(i).executionId());
      // REFUSED means that the execution has ended already: either way the lease is over.
      answers.set(i, answers.get(i).whenComplete((a, e) -> endLease(id, e)));
    }
    underWay = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }

  private void endLease(List<Long> id, @Nullable Throwable failure) {
    if (failure == null) {
      group.leases().end(id);
    } else {
      LOG.warn("recover: execution {} of {} could not be rescued yet", id, group.name(), failure);
    }
  }
}
