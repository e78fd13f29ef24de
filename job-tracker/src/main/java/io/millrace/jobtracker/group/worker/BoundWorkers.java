package io.millrace.jobtracker.group.worker;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GapDetector;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which workers a broadcast is for, and which of them are gone: by their last pulls, and by how
 * long this tracker has been able to hear them. A tracker that has just begun to serve the node
 * group, stood still, or has heard none of the workers for half a lease, waits for those that are
 * noted: else the first one that comes back would be the only one. Reads them only if a broadcast
 * is met in that time. Thread-safe.
 */
public final class BoundWorkers {
  private static final int PAGE = 1_000;

  private final String group;
  private final PullingWorkers workers;
  private final WorkerStore store;
  private final GapDetector gaps;
  private final long leaseMillis;
  private final TimedExecutor time;

  /** The workers that have not come back yet; null if there is no need to know them. */
  private @Nullable Set<String> awaited;

  private long awaitedSince;

  /**
   * @param leaseMillis length of a worker's lease
   */
  public BoundWorkers(
      String group,
      PullingWorkers workers,
      WorkerStore store,
      GapDetector gaps,
      long leaseMillis,
      TimedExecutor time) {
    this.group = group;
    this.workers = workers;
    this.store = store;
    this.gaps = gaps;
    this.leaseMillis = leaseMillis;
    this.time = time;
  }

  /**
   * The workers that a broadcast is for which begins now: those that have what its lane requires,
   * do not drain, and pulled within a lease. None while this tracker does not know them all.
   */
  public List<BoundTo> of(Lane lane) {
    long now = time.monotonicMillis();
    return knowsAll(now) ? workers.pulledSince(now - leaseMillis, lane) : List.of();
  }

  private synchronized boolean knowsAll(long now) {
    long since = knownSince(now);
    if (now - since >= leaseMillis) {
      awaited = null;
      return true;
    }
    Set<String> missing = awaited;
    if (missing == null || awaitedSince != since) {
      missing = noted();
      awaitedSince = since;
      awaited = missing;
    }
    missing.removeIf(worker -> workers.hasPulledSince(worker, since));
    return missing.isEmpty();
  }

  /** Since when no worker can have been silent for another reason than its own. */
  private long knownSince(long now) {
    return Math.max(gaps.since(now), workers.heardSince(now));
  }

  /**
   * The workers that a broadcast waits for at present, by node id; none if there is no such one.
   */
  public synchronized Set<String> awaited() {
    long now = time.monotonicMillis();
    Set<String> missing = awaited;
    return missing == null || now - knownSince(now) >= leaseMillis ? Set.of() : Set.copyOf(missing);
  }

  /**
   * The workers that trackers have noted, connected or not: a tracker that stops closes their
   * connections, and they come back however long it is away.
   */
  private Set<String> noted() {
    Set<String> noted = new HashSet<>();
    List<Worker> page = store.list(group, "", PAGE);
    while (!page.isEmpty()) {
      page.stream()
          .filter(worker -> !worker.draining())
          .forEach(worker -> noted.add(worker.workerId()));
      page =
          page.size() < PAGE
              ? List.of()
              : store.list(group, page.get(page.size() - 1).workerId(), PAGE);
    }
    return noted;
  }

  /**
   * Whether a worker that a broadcast was for does not come back as it was: it drains, another
   * process has its node id, or it has not pulled for a lease in which this tracker would have
   * heard it.
   */
  public boolean isGone(BoundTo worker) {
    long now = time.monotonicMillis();
    long since = gaps.since(now);
    return workers.isGone(worker, now - since < leaseMillis ? Long.MIN_VALUE : now - leaseMillis);
  }
}
