package io.millrace.jobtracker.domain.lease;

import io.millrace.internal.protocol.PullRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one node group's executions. Times are in milliseconds of a monotonic clock.
 * Thread-safe.
 *
 * <p>A worker never received an execution if it pulls again without listing the execution and
 * without waiting for the pull that the execution answered; the trigger then goes back with its
 * attempt unchanged. When a worker falls silent, it is unknown what it has started: the lease runs
 * out, and that counts as an attempt. A process speaks only for itself: an execution sent to
 * another process of the same worker may have been started there, so its lease has to run out as
 * well.
 *
 * <p>The worker has to end an attempt that runs longer than its job allows. If it does not, the
 * attempt is overdue some time later: the worker is told to stop it, and one lease after that the
 * tracker ends it without the worker.
 */
public final class LeaseTable {
  /** How many executions are remembered that were taken from their workers. */
  static final int MAX_TAKEN = 10_000;

  /** The pull number of an execution whose pull is unknown: it was claimed by an earlier owner. */
  private static final long ADOPTED = -1;

  /** The pull number of an execution that is not yet the answer to any pull. */
  private static final long UNSENT = Long.MAX_VALUE;

  private static final class Lease {
    final String workerId;
    long pull;

    /** When it was claimed, by the database's clock; used only for adopted executions. */
    final long claimedAt;

    long expiresAt;
    boolean listed;
    boolean stopRequested;
    boolean terminated;
    boolean ranOut;

    /** When the next step is due if the worker lets the attempt run for too long. */
    long overdueAt = Long.MAX_VALUE;

    boolean overdue;

    Lease(String workerId, long pull, long claimedAt, long expiresAt) {
      this.workerId = workerId;
      this.pull = pull;
      this.claimedAt = claimedAt;
      this.expiresAt = expiresAt;
    }
  }

  private final long leaseMillis;
  private final long timeoutGraceMillis;
  private final Map<Long, Lease> leases = new HashMap<>();
  private final Map<String, Set<Long>> byWorker = new HashMap<>();

  /** The latest executions that were taken from their worker, and the id of that worker. */
  private final Map<Long, String> taken =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > MAX_TAKEN;
        }
      };

  /**
   * @param timeoutGraceMillis how long after its time-out an attempt is left to its worker
   */
  public LeaseTable(long leaseMillis, long timeoutGraceMillis) {
    this.leaseMillis = leaseMillis;
    this.timeoutGraceMillis = timeoutGraceMillis;
  }

  /** Grants the first lease of an execution that is about to be sent as the answer to a pull. */
  public synchronized void grant(long executionId, String workerId, long pull, long now) {
    add(executionId, new Lease(workerId, pull, Long.MAX_VALUE, now + leaseMillis));
  }

  /**
   * Grants the first lease of an execution that is {@link #send sent} later, when its time comes.
   */
  public void grantUnsent(long executionId, String workerId, long now) {
    grant(executionId, workerId, UNSENT, now);
  }

  /**
   * Prepares an execution to be sent as the answer to a pull, with a full lease.
   *
   * @return false if it must not begin any more: it is to stop, has ended, or was sent before
   */
  public synchronized boolean send(long executionId, long pull, long now) {
    Lease lease = leases.get(executionId);
    if (lease == null || lease.pull != UNSENT || lease.stopRequested) {
      return false;
    }
    lease.pull = pull;
    lease.expiresAt = now + leaseMillis;
    return true;
  }

  /**
   * Grants a full lease to an execution found in the store, unless it has one.
   *
   * @param claimedAt when it was claimed, in epoch milliseconds of the database
   * @return whether it had no lease
   */
  public synchronized boolean adopt(
      long executionId, String workerId, long claimedAt, boolean stopRequested, long now) {
    if (leases.containsKey(executionId)) {
      return false;
    }
    Lease lease = new Lease(workerId, ADOPTED, claimedAt, now + leaseMillis);
    lease.stopRequested = stopRequested;
    add(executionId, lease);
    return true;
  }

  /**
   * Sets how long an execution that has a lease may run. One that began under an earlier owner gets
   * at least one lease, in which its worker can report what it could not report before.
   *
   * @param timeout of the attempt; null if there is no limit
   * @param sinceMillis how long ago it could begin at the earliest; negative if that is in the
   *     future
   */
  public synchronized void limit(
      long executionId, @Nullable Duration timeout, long sinceMillis, long now) {
    Lease lease = leases.get(executionId);
    if (lease != null && timeout != null) {
      long left = timeout.toMillis() + timeoutGraceMillis - sinceMillis;
      lease.overdueAt = now + (sinceMillis > 0 ? Math.max(left, leaseMillis) : left);
    }
  }

  /**
   * Executions that have run for too long.
   *
   * @param toStop executions that their worker is told to stop from now on
   * @param toEnd executions that their worker was told to stop at least a lease ago, and that still
   *     run
   */
  public record Overdue(List<Long> toStop, List<Long> toEnd) {}

  /**
   * Finds executions that have run for too long. One that should have been ended and was not is
   * found again a lease later.
   */
  public synchronized Overdue overdue(long now) {
    Overdue overdue = new Overdue(new ArrayList<>(), new ArrayList<>());
    leases.forEach(
        (id, lease) -> {
          if (lease.overdueAt <= now) {
            (lease.overdue ? overdue.toEnd() : overdue.toStop()).add(id);
            lease.overdue = true;
            lease.stopRequested = true;
            lease.terminated = true;
            lease.overdueAt = now + leaseMillis;
          }
        });
    return overdue;
  }

  /**
   * Renews the leases of the executions that a worker's pull lists.
   *
   * @param pull the number of this pull
   * @param held executions that the worker lists
   * @param earlierOpen numbers of earlier pulls that the worker still waits for
   * @param startedAt when the pulling process started, at the latest, in epoch milliseconds of the
   *     database; {@link Long#MAX_VALUE} if it does not say
   * @return executions that this worker cannot have received: it never listed them, and their pull
   *     is an earlier one of the same process and no longer waited for
   */
  public synchronized List<Long> renew(
      String workerId,
      long pull,
      Collection<Long> held,
      Collection<Long> earlierOpen,
      long startedAt,
      long now) {
    Set<Long> listed = new HashSet<>(held);
    Set<Long> open = new HashSet<>(earlierOpen);
    List<Long> neverReceived = new ArrayList<>();
    for (Long id : byWorker.getOrDefault(workerId, Set.of())) {
      Lease lease = leases.get(id);
      if (lease == null) {
        continue;
      }
      if (listed.contains(id)) {
        lease.listed = true;
        lease.ranOut = false;
        lease.expiresAt = now + leaseMillis;
      } else if (!lease.listed && isGivenUp(lease, pull, open, startedAt)) {
        neverReceived.add(id);
      }
    }
    return neverReceived;
  }

  private static boolean isGivenUp(
      Lease lease, long current, Set<Long> earlierOpen, long startedAt) {
    if (lease.pull == UNSENT) {
      return false;
    }
    return lease.pull == ADOPTED
        ? isOfThisProcess(lease, current, startedAt) && earlierOpen.isEmpty()
        : PullRequest.processOf(lease.pull) == PullRequest.processOf(current)
            && lease.pull < current
            && !earlierOpen.contains(lease.pull);
  }

  /**
   * Whether an execution that an earlier owner claimed can only have been sent to the process that
   * pulls: no other process ever has the worker's id, or the process started before the claim.
   */
  private static boolean isOfThisProcess(Lease lease, long current, long startedAt) {
    return PullRequest.processOf(current) == 0 || lease.claimedAt >= startedAt;
  }

  /**
   * Ends the leases of executions that have ended; remembers those that were taken from their
   * worker.
   */
  public synchronized void end(Collection<Long> executionIds) {
    for (Long id : executionIds) {
      Lease lease = leases.remove(id);
      if (lease != null) {
        if (lease.ranOut || lease.overdue) {
          taken.put(id, lease.workerId);
        }
        byWorker.computeIfPresent(
            lease.workerId,
            (worker, ids) -> {
              ids.remove(id);
              return ids.isEmpty() ? null : ids;
            });
      }
    }
  }

  /** Returns the leases that have run out. They stay until they are ended. */
  public synchronized List<Long> expired(long now) {
    List<Long> expired = new ArrayList<>();
    leases.forEach(
        (id, lease) -> {
          if (lease.expiresAt <= now) {
            lease.ranOut = true;
            expired.add(id);
          }
        });
    expired.sort(Comparator.naturalOrder());
    return expired;
  }

  /** Renews every lease to its full length, as if the group had just been taken over. */
  public synchronized void extendAll(long now) {
    for (Lease lease : leases.values()) {
      lease.expiresAt = now + leaseMillis;
      lease.overdueAt = Math.max(lease.overdueAt, now + leaseMillis);
      lease.ranOut = false;
    }
  }

  /** How long an execution counts as alive after it was last listed. */
  public long leaseMillis() {
    return leaseMillis;
  }

  /** Marks executions as terminated, so that their worker is notified. */
  public synchronized void terminate(Collection<Long> executionIds) {
    for (Long id : executionIds) {
      Lease lease = leases.get(id);
      if (lease != null) {
        lease.stopRequested = true;
        lease.terminated = true;
      }
    }
  }

  /** Returns those of the listed executions that were terminated. */
  public synchronized List<Long> terminated(Collection<Long> held) {
    return those(held, lease -> lease.terminated);
  }

  /** Returns those of the listed executions that were recently taken from this worker. */
  public synchronized List<Long> takenFrom(String workerId, Collection<Long> held) {
    return taken.isEmpty()
        ? List.of()
        : held.stream().filter(id -> workerId.equals(taken.get(id))).toList();
  }

  /**
   * Returns those of the listed executions that are not known here: this worker has no lease of
   * them, and they are not remembered as taken from it.
   */
  public synchronized List<Long> unknown(String workerId, Collection<Long> held) {
    Set<Long> known = byWorker.getOrDefault(workerId, Set.of());
    return held.stream()
        .filter(id -> !known.contains(id) && !workerId.equals(taken.get(id)))
        .toList();
  }

  /** Marks executions whose job was cancelled, so that their worker is notified. */
  public synchronized void requestStop(Collection<Long> executionIds) {
    for (Long id : executionIds) {
      Lease lease = leases.get(id);
      if (lease != null) {
        lease.stopRequested = true;
      }
    }
  }

  /** Returns those of the listed executions that were asked to stop. */
  public synchronized List<Long> stopRequested(Collection<Long> held) {
    return those(held, lease -> lease.stopRequested);
  }

  private List<Long> those(Collection<Long> held, Predicate<Lease> which) {
    return held.stream()
        .filter(
            id -> {
              Lease lease = leases.get(id);
              return lease != null && which.test(lease);
            })
        .toList();
  }

  public synchronized int size() {
    return leases.size();
  }

  private void add(long executionId, Lease lease) {
    leases.put(executionId, lease);
    byWorker.computeIfAbsent(lease.workerId, worker -> new HashSet<>()).add(executionId);
  }
}
