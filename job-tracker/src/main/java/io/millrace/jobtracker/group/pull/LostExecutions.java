package io.millrace.jobtracker.group.pull;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.ExecutingStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the executions that workers list and have lost, so that a worker that was away is notified
 * before its invocations run on for long. This tracker knows which executions it has taken away
 * itself. An execution that it does not know is looked up in the executing table once the worker
 * has listed it for a while: most unknown executions have just ended, and their worker is about to
 * be notified of it.
 *
 * <p>Thread-safe.
 */
public final class LostExecutions {
  private static final Logger LOG = LoggerFactory.getLogger(LostExecutions.class);

  /** How long a worker may list an unknown execution before it is looked up in the table. */
  static final long PATIENCE_MILLIS = 2_000;

  private enum Doubt {
    /** Listed for less than {@link #PATIENCE_MILLIS}, or to be looked up again. */
    YOUNG,
    BEING_LOOKED_UP,
    LOST
  }

  /** The unknown executions that one worker lists. */
  private static final class Listing {
    final Map<Long, Long> since = new HashMap<>();
    final Map<Long, Doubt> doubts = new HashMap<>();
    Set<Long> reported = Set.of();
  }

  private final LeaseTable leases;
  private final ExecutingStore executing;
  private final TimedExecutor time;
  private final Map<String, Listing> listings = new HashMap<>();

  public LostExecutions(GroupMemory group, ExecutingStore executing, TimedExecutor time) {
    this.leases = group.leases();
    this.executing = executing;
    this.time = time;
  }

  /** Records what a worker's pull lists; returns whether to notify it of a loss now. */
  synchronized boolean listed(String workerId, List<Long> held) {
    List<Long> unknown = leases.unknown(workerId, held);
    Listing listing = listings.get(workerId);
    if (!unknown.isEmpty() || !leases.takenFrom(workerId, held).isEmpty()) {
      listing = listings.computeIfAbsent(workerId, worker -> new Listing());
      note(workerId, listing, unknown);
      Set<Long> lost = Set.copyOf(lostOf(workerId, held));
      boolean isNews = !listing.reported.containsAll(lost);
      listing.reported = lost;
      return isNews;
    }
    if (listing != null) {
      listings.remove(workerId);
    }
    return false;
  }

  private void note(String workerId, Listing listing, List<Long> unknown) {
    Set<Long> still = new HashSet<>(unknown);
    listing.since.keySet().retainAll(still);
    listing.doubts.keySet().retainAll(still);
    long now = time.monotonicMillis();
    List<Long> toLookUp = new ArrayList<>();
    for (Long id : unknown) {
      long since = listing.since.computeIfAbsent(id, first -> now);
      Doubt doubt = listing.doubts.computeIfAbsent(id, first -> Doubt.YOUNG);
      if (doubt == Doubt.YOUNG && now - since >= PATIENCE_MILLIS) {
        listing.doubts.put(id, Doubt.BEING_LOOKED_UP);
        toLookUp.add(id);
      }
    }
    if (!toLookUp.isEmpty()) {
      lookUpLater(workerId, toLookUp);
    }
  }

  private void lookUpLater(String workerId, List<Long> executionIds) {
    try {
      time.execute(() -> lookUp(workerId, executionIds));
    } catch (RuntimeException refused) {
      settle(workerId, executionIds, id -> Doubt.YOUNG);
      LOG.debug("pull: executions {} will be looked up later", executionIds, refused);
    }
  }

  /** An execution without a row has ended, because ids are never reused. */
  private void lookUp(String workerId, List<Long> executionIds) {
    Map<Long, Execution> rows;
    try {
      rows =
          executing.find(executionIds).stream()
              .collect(Collectors.toMap(Execution::id, Function.identity()));
    } catch (RuntimeException failure) {
      LOG.warn("pull: executions {} of worker {} cannot be looked up", executionIds, workerId);
      LOG.debug("pull: executions {} cannot be looked up", executionIds, failure);
      settle(workerId, executionIds, id -> Doubt.YOUNG);
      return;
    }
    settle(
        workerId,
        executionIds,
        id -> {
          Execution row = rows.get(id);
          if (row == null || !row.workerId().equals(workerId)) {
            return Doubt.LOST;
          }
          adopt(row);
          return null;
        });
  }

  /** Its worker runs it, but this tracker did not receive the claim of an earlier owner in time. */
  private void adopt(Execution row) {
    boolean unused =
        leases.adopt(
            row.id(), row.workerId(), row.claimedAt(), row.stopRequested(), time.monotonicMillis());
    leases.limit(
        row.id(), row.spec().timeout(), time.millis() - row.mayBeginAt(), time.monotonicMillis());
    if (row.terminatedBy() != null) {
      leases.terminate(List.of(row.id()));
    }
  }

  private synchronized void settle(
      String workerId, List<Long> executionIds, Function<Long, @Nullable Doubt> what) {
    Listing listing = listings.get(workerId);
    for (Long id : executionIds) {
      Doubt doubt = what.apply(id);
      if (listing != null && doubt != null) {
        listing.doubts.computeIfPresent(id, (known, before) -> doubt);
      }
    }
  }

  /** The listed executions that this worker has certainly lost. */
  synchronized List<Long> lostOf(String workerId, List<Long> held) {
    List<Long> lost = new ArrayList<>(leases.takenFrom(workerId, held));
    Listing listing = listings.get(workerId);
    if (listing != null) {
      held.stream().filter(id -> listing.doubts.get(id) == Doubt.LOST).forEach(lost::add);
    }
    return lost;
  }

  /** The worker's connection is closed: when it lists losses again, it is notified again. */
  synchronized void disconnected(String workerId) {
    listings.remove(workerId);
  }
}
