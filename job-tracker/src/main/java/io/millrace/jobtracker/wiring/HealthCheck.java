package io.millrace.jobtracker.wiring;

import io.millrace.api.TrackerHealth;
import io.millrace.jobtracker.cluster.TrackerLease;
import io.millrace.jobtracker.store.StoreHealth;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the health of a tracker from memory.
 *
 * @param trackerId the identity of the tracker's process
 * @param address the address at which nodes reach the tracker
 * @param lease the lease of the tracker's number
 * @param store reports whether the store answers
 * @param served supplies the names of the node groups that the tracker serves
 */
record HealthCheck(
    String trackerId,
    String address,
    TrackerLease lease,
    StoreHealth store,
    Supplier<List<String>> served) {

  TrackerHealth read() {
    return new TrackerHealth(
        trackerId, lease.number(), address, served.get(), trouble(lease, store));
  }

  /** What keeps the tracker from working; null if nothing does. */
  static @Nullable String trouble(TrackerLease lease, StoreHealth store) {
    String ofStore = store.trouble().map(StoreHealth.Trouble::toString).orElse(null);
    if (ofStore != null) {
      return ofStore;
    }
    return lease.isHeld()
        ? null
        : "its lease may have expired: it assigns no work until it has renewed the lease";
  }
}
