package io.millrace.jobtracker.observe;

import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Watches a tracker while it runs. The methods that receive what the tracker did and counted are
 * called on the thread that did the work, so they must be quick and must not throw. Thread-safe.
 */
public interface TrackerObserver {
  /** Ignores all calls. */
  TrackerObserver NONE = new TrackerObserver() {};

  /** Makes the observer of a tracker. */
  interface Factory {

    /** Makes an observer; called once for each tracker, when the tracker knows its address. */
    TrackerObserver observe(ObservedTracker tracker);
  }

  /** The end of an execution or of a trigger was added to the ledger, and is committed. */
  default void ended(LedgerEntry row) {}

  /**
   * Executions were handed to a worker in the reply to its pull.
   *
   * @param now epoch milliseconds
   */
  default void handedOut(String nodeGroup, List<Assignment> assignments, long now) {}

  /**
   * Reports the node groups that the tracker serves, just before they are counted.
   *
   * @param now epoch milliseconds
   */
  default void serves(Collection<String> nodeGroups, long now) {}

  /**
   * The figures of a node group were counted, every 5 s by default.
   *
   * @param now epoch milliseconds
   */
  default void counted(String nodeGroup, GroupStats stats, long now) {}

  /**
   * The lease of another tracker ran out, which that tracker had not ended itself. Of the live
   * trackers, only the one with the lowest number reports it.
   *
   * @param now epoch milliseconds
   */
  default void trackerGone(Tracker gone, long now) {}

  /** Starts the timers of the observer; called once, when the tracker starts its own. */
  default void start() {}

  /** Starts no further run; completes when the run under way has ended. */
  default CompletableFuture<Void> stop() {
    return CompletableFuture.completedFuture(null);
  }

  /** Reports what is left. Called after the tracker has stopped, which waits for the result. */
  default CompletableFuture<Void> finish() {
    return CompletableFuture.completedFuture(null);
  }
}
