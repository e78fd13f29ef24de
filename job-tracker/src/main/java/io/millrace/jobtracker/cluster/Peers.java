package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.TrackerStore;
import java.util.concurrent.CompletableFuture;

/**
 * Sends notices to the other trackers. Hints only: a tracker that misses one finds the same facts
 * the next time it reads the store. Never blocks. Thread-safe.
 */
@FunctionalInterface
public interface Peers {

  /**
   * Notifies a tracker that, according to the store, it owns a node group from now on, or that the
   * group is free and planned for it; the target then reads the store at once. The caller bounds
   * the wait for the answer.
   *
   * @param target the tracker, with its number and address
   * @return whether the target serves the group now; false if it could not be asked. Never
   *     completes exceptionally
   */
  CompletableFuture<Boolean> groupHandedOver(TrackerStore.Tracker target, String nodeGroup);
}
