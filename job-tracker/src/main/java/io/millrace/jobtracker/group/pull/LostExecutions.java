package io.millrace.jobtracker.group.pull;

import io.millrace.common.time.TimedExecutor;
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
 * Finds out which of the executions that workers list are not theirs any more, so that a worker
 * that was away learns it before its bodies go on for long. What this tracker has taken away itself
 * it knows; of what it does not know, the executing table tells, once the worker has listed it for
 * a while. Most of that has just ended, and its worker is about to learn so.
 *
 * <p>Thread-safe.
 */
public final class LostExecutions {
  private static final Logger LOG = LoggerFactory.getLogger(LostExecutions.class);

  /** How long a worker may list an execution that is not known before the table is asked. */
  static final long PATIENCE_MILLIS = 2_000;

  private enum Doubt {
    /** Listed for a short time only. */
    YOUNG,
    BEING_LOOKED_UP,
    LOST
  }

  /** What one worker lists that is not known. */
  private static final class Listing {
    final Map<Long, Long> since = new HashMap<>();
    final Map<Long, Doubt> doubts = new HashMap<>();
    Set<Long> told = Set.of();
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

  /** Takes note of what a worker's pull lists; returns whether it is to be told of a loss now. */
  synchronized boolean listed(String workerId, List<Long> held) {
    List<Long> unknown = leases.unknown(workerId, held);
    Listing listing = listings.get(workerId);
    if (!unknown.isEmpty() || !leases.takenFrom(workerId, held).isEmpty()) {
      listing = listings.computeIfAbsent(workerId, worker -> new Listing());
      note(workerId, listing, unknown);
      Set<Long> lost = Set.copyOf(lostOf(workerId, held));
      boolean isNews = !listing.told.containsAll(lost);
      listing.told = lost;
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
      LOG.debug("pull: executions {} are looked up later", executionIds, refused);
    }
  }

  /** A row that is gone has ended, for ids are never used again. */
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

  /** Its worker runs it, but the claim came from an owner that this one did not hear of in time. */
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

  /** Those of the listed executions that are certain not to be this worker's. */
  synchronized List<Long> lostOf(String workerId, List<Long> held) {
    List<Long> lost = new ArrayList<>(leases.takenFrom(workerId, held));
    Listing listing = listings.get(workerId);
    if (listing != null) {
      held.stream().filter(id -> listing.doubts.get(id) == Doubt.LOST).forEach(lost::add);
    }
    return lost;
  }

  /** The worker's connection is gone: when it lists again, it is told again. */
  synchronized void disconnected(String workerId) {
    listings.remove(workerId);
  }
}
