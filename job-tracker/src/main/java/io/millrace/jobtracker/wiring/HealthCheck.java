package io.millrace.jobtracker.wiring;

import io.millrace.common.model.TrackerHealth;
import io.millrace.jobtracker.cluster.TrackerLease;
import io.millrace.jobtracker.store.StoreHealth;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says how a tracker is, from what it has in memory.
 *
 * @param trackerId identity of its process
 * @param address where nodes reach it
 * @param lease its number
 * @param store whether its store answers
 * @param served the node groups it serves
 */
record HealthCheck(
    String trackerId,
    String address,
    TrackerLease lease,
    StoreHealth store,
    Supplier<List<String>> served) {

  TrackerHealth read() {
    return new TrackerHealth(trackerId, lease.number(), address, served.get(), trouble());
  }

  private @Nullable String trouble() {
    String ofStore = store.trouble().map(StoreHealth.Trouble::toString).orElse(null);
    if (ofStore != null) {
      return ofStore;
    }
    return lease.isHeld()
        ? null
        : "its lease may have run out: it hands nothing out until it has renewed it";
  }
}
