package io.millrace.jobtracker.store.jdbc.relay;

import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.relay.RelayStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table {@code jt_relay}. */
public final class JdbcRelayStore implements RelayStore {
  private final Database database;

  public JdbcRelayStore(Database database) {
    this.database = database;
  }

  @Override
  public boolean record(String relay, long epoch, long now) {
    String what = "record epoch " + epoch + " of relay " + relay;
    Map<String, ?> values = Map.of("relay", relay, "epoch", epoch, "now", now);
    String raise =
        "UPDATE jt_relay SET epoch = :epoch, seen_at = :now WHERE relay = :relay AND epoch <= :epoch";
    if (database.updateOne(what, raise, values)) {
      return true;
    }
    String recorded = "SELECT epoch FROM jt_relay WHERE relay = :relay FOR UPDATE";
    Optional<Long> found = database.find(what, recorded, values, Long.class);
    if (found.isPresent()) {
      if (found.get() <= epoch) {
        throw new RaceLostException(
            "the first epoch of relay " + relay + " was recorded meanwhile");
      }
      return false;
    }
    try {
      int unused =
          database.update(
              what,
              "INSERT INTO jt_relay (relay, epoch, seen_at) VALUES (:relay, :epoch, :now)",
              values);
      return true;
    } catch (DuplicateKeyException another) {
      throw new RaceLostException("another epoch of relay " + relay + " was recorded first");
    }
  }

  @Override
  public int forget(long before, int limit) {
    String sql =
        database
            .dialect()
            .deleteFirst("jt_relay", "seen_at < :before", List.of("seen_at", "relay"));
    return database.update("forget relays", sql, Map.of("before", before, "limit", limit));
  }
}
