package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.TrackerStore;
import java.util.concurrent.CompletableFuture;

/**
 * How this tracker speaks to the others. Hints only: a tracker that misses one finds the same in
 * the store when it next looks. Never blocks. Thread-safe.
 */
public interface Peers {

  /** Tells nobody anything: every tracker finds out by itself. */
  Peers NONE = (target, nodeGroup) -> CompletableFuture.completedFuture(false);

  /**
   * Tells a tracker that, as the store has it, a node group is its own from now on, or is free and
   * meant for it; so that it looks at once. The caller bounds the time it waits for the answer.
   *
   * @param target the tracker, with its number and where it listens
   * @return whether the target serves the group now; false if it could not be asked. Never
   *     completes exceptionally
   */
  CompletableFuture<Boolean> groupHandedOver(TrackerStore.Tracker target, String nodeGroup);
}
