package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The waiting parts of one node group that are for one worker each: those that are due, those that
 * fall due soon, those of workers that are gone, and those that a claim is deciding on. They stand
 * apart from the heads of lanes, so that what is for a busy worker hides nothing, and no other
 * worker is asked about it.
 *
 * <p>Memory is bounded; what does not fit is left to the store, and read when there is room. A row
 * whose claim is decided while a load is under way does not come back with that load. Thread-safe.
 */
public final class BoundParts {
  /** The most rows held for one worker. */
  static final int MOST_OF_WORKER = 256;

  /** The most rows held for all workers. */
  static final int MOST = 10_000;

  /** A worker of which rows were left out has run low when no more than this many are left. */
  private static final int LOW = MOST_OF_WORKER / 4;

  private final PriorityOrder order;
  private final Map<BoundTo, OfWorker> byWorker = new HashMap<>();
  private final Map<Long, WaitingTrigger> waiting = new HashMap<>();
  private final Map<Long, WaitingTrigger> inClaim = new HashMap<>();

  /** The workers of which the store may hold more rows than memory. */
  private final Set<BoundTo> leftOut = new HashSet<>();

  /** What was decided while a load is under way; null if none is. */
  private @Nullable Set<Long> settledInLoad;

  private boolean lastLoadFailed;

  /** The rows of one worker. */
  private final class OfWorker {
    private final TreeSet<WaitingTrigger> due = new TreeSet<>(order);
    private final TreeSet<WaitingTrigger> ahead = new TreeSet<>(WaitingHead.BY_TIME);

    @Nullable WaitingTrigger first(long now, long until) {
      while (!ahead.isEmpty() && ahead.first().dueAt() <= now) {
        due.add(Objects.requireNonNull(ahead.pollFirst()));
      }
      if (!due.isEmpty()) {
        return due.first();
      }
      return ahead.isEmpty() || ahead.first().dueAt() > until ? null : ahead.first();
    }

    void remove(WaitingTrigger row) {
      if (!due.remove(row)) {
        ahead.remove(row);
      }
    }

    int size() {
      return due.size() + ahead.size();
    }
  }

  /**
   * @param order in which due rows of a worker are handed out
   */
  BoundParts(PriorityOrder order) {
    this.order = order;
  }

  /** The worker that this row is for. */
  public static BoundTo workerOf(WaitingTrigger row) {
    TriggerSpec spec = Objects.requireNonNull(row.spec(), "a part has a spec");
    return Objects.requireNonNull(spec.boundTo(), "the part is for every worker");
  }

  // Loads, and rows that come without one.

  /** Begins a load of all rows. One load at a time. */
  public synchronized void beginLoad() {
    if (settledInLoad != null) {
      throw new IllegalStateException("a load is under way");
    }
    settledInLoad = new HashSet<>();
    leftOut.clear();
  }

  /** Ends the load under way. */
  public synchronized void endLoad() {
    settledInLoad = null;
    lastLoadFailed = false;
  }

  /** Ends the load under way, which has failed. */
  public synchronized void abandonLoad() {
    settledInLoad = null;
    lastLoadFailed = true;
  }

  /** Whether a load would find rows for which there is room now, or the last one failed. */
  public synchronized boolean wantsLoad() {
    return settledInLoad == null
        && (lastLoadFailed
            || (waiting.size() <= MOST / 2
                && leftOut.stream().anyMatch(worker -> count(worker) <= LOW)));
  }

  /** Whether the last load failed. */
  synchronized boolean isBlind() {
    return lastLoadFailed;
  }

  /**
   * Takes in rows that a load has read, or that were just committed.
   *
   * @return the due times of those that are not yet due, to be put on the timer wheel
   */
  public synchronized Set<Long> takeIn(Collection<WaitingTrigger> rows, long now) {
    Set<Long> dueTimes = new HashSet<>();
    for (WaitingTrigger row : rows) {
      if (waiting.containsKey(row.id())
          || inClaim.containsKey(row.id())
          || (settledInLoad != null && settledInLoad.contains(row.id()))) {
        continue;
      }
      BoundTo worker = workerOf(row);
      if (waiting.size() >= MOST || count(worker) >= MOST_OF_WORKER) {
        leftOut.add(worker);
      } else {
        hold(row.asReadBack(), now, dueTimes);
      }
    }
    return dueTimes;
  }

  private int count(BoundTo worker) {
    OfWorker rows = byWorker.get(worker);
    return rows == null ? 0 : rows.size();
  }

  private void hold(WaitingTrigger row, long now, Set<Long> dueTimes) {
    waiting.put(row.id(), row);
    OfWorker rows = byWorker.computeIfAbsent(workerOf(row), worker -> new OfWorker());
    if (row.dueAt() > now) {
      rows.ahead.add(row);
      dueTimes.add(row.dueAt());
    } else {
      rows.due.add(row);
    }
  }

  // Claims.

  /** Whether no row waits for a worker, except those in a claim. */
  public synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The workers for which rows wait. */
  public synchronized List<BoundTo> workers() {
    return List.copyOf(byWorker.keySet());
  }

  /**
   * The first row for a worker: the first one that is due, or else the next one that falls due, if
   * it does by {@code until}; null if there is none.
   */
  public synchronized @Nullable WaitingTrigger first(BoundTo worker, long now, long until) {
    OfWorker rows = byWorker.get(worker);
    return rows == null ? null : rows.first(now, until);
  }

  /** Takes a row for a claim, and returns whether it was there. It is known until its outcome. */
  public synchronized boolean take(WaitingTrigger row) {
    boolean waits = waiting.remove(row.id(), row);
    if (waits) {
      BoundTo worker = workerOf(row);
      OfWorker rows = Objects.requireNonNull(byWorker.get(worker));
      rows.remove(row);
      if (rows.size() == 0) {
        byWorker.remove(worker);
      }
      inClaim.put(row.id(), row);
    }
    return waits;
  }

  /** Takes all rows for a worker, due or not, as {@link #take} does. */
  public synchronized List<WaitingTrigger> takeAllOf(BoundTo worker) {
    OfWorker rows = byWorker.get(worker);
    if (rows == null) {
      return List.of();
    }
    List<WaitingTrigger> all = new ArrayList<>(rows.due);
    all.addAll(rows.ahead);
    all.forEach(this::take);
    return all;
  }

  /** Records the outcome of the claim of these rows: they are claimed, or gone. */
  public synchronized void settle(Collection<Long> ids) {
    for (Long id : ids) {
      if (inClaim.remove(id) != null && settledInLoad != null) {
        settledInLoad.add(id);
      }
    }
  }

  /**
   * Returns rows whose claim did not happen to where they were.
   *
   * @return the due times of the rows that are not yet due, to be put on the timer wheel again
   */
  public synchronized Set<Long> putBack(Collection<Long> ids, long now) {
    Set<Long> dueTimes = new HashSet<>();
    for (Long id : ids) {
      WaitingTrigger row = inClaim.remove(id);
      if (row != null) {
        hold(row, now, dueTimes);
      }
    }
    return dueTimes;
  }

  // What is held.

  /** The due rows, except those in a claim, if memory holds all of them; otherwise empty. */
  synchronized Optional<Backlog> backlog(long now) {
    if (!leftOut.isEmpty() || lastLoadFailed) {
      return Optional.empty();
    }
    long due = 0;
    long oldest = Long.MAX_VALUE;
    for (WaitingTrigger row : waiting.values()) {
      if (row.dueAt() <= now) {
        due++;
        oldest = Math.min(oldest, row.dueAt());
      }
    }
    return Optional.of(new Backlog(due, oldest));
  }
}
