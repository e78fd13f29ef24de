package io.millrace.jobclient.internal.relay;

import io.millrace.internal.time.Clock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that this relay may send: all that no other relay holds. A lease ends by the clock
 * of the database; this relay counts it from before it asked, and so sees the end early. Used by
 * one thread.
 */
final class PartitionLeases {
  private final RelayDatabase database;
  private final RelayTables tables;
  private final Clock clock;
  private final Duration lease;
  private final String holder = UUID.randomUUID().toString();

  /** The last lease of each partition. */
  private final Map<Integer, PartitionLease> known = new HashMap<>();

  private Map<Integer, PartitionLease> held = Map.of();
  private long renewedNanos;

  PartitionLeases(RelayDatabase database, RelayTables tables, Clock clock, Duration lease) {
    this.database = database;
    this.tables = tables;
    this.clock = clock;
    this.lease = lease;
  }

  /**
   * Renews the leases if that is due, and leases the partitions that are free. A lease whose
   * attempts are used up is exchanged for another one.
   */
  void keep() {
    List.copyOf(held.values()).stream().filter(PartitionLease::isUsedUp).forEach(this::giveUp);
    if (held.size() < RelayTables.PARTITIONS) {
      renew();
    } else {
      renewIfDue();
    }
  }

  /** Renews the leases if a third of their time is over. */
  void renewIfDue() {
    if (!isValidFor(lease.multipliedBy(2).dividedBy(3))) {
      renew();
    }
  }

  private void renew() {
    long asked = clock.nanoTime();
    held = database.inTransaction("renew its leases", this::renewAndTake);
    renewedNanos = asked;
  }

  /** Whether the leases are held, with some time to spare. */
  boolean areValid() {
    return isValidFor(lease.dividedBy(4));
  }

  private boolean isValidFor(Duration least) {
    return !held.isEmpty() && clock.nanoTime() - renewedNanos < lease.minus(least).toNanos();
  }

  private Map<Integer, PartitionLease> renewAndTake(Connection connection, String now)
      throws SQLException {
    String renew = "UPDATE %s SET lease_until = %s + ? WHERE holder = ?";
    try (PreparedStatement statement = prepare(connection, renew, now)) {
      statement.setLong(1, lease.toMillis());
      statement.setString(2, holder);
      int unused = statement.executeUpdate();
    }
    String take =
        """
        UPDATE %1$s SET holder = ?, relay = COALESCE(relay, ?), epoch = GREATEST(epoch + 1, %2$s),
          lease_until = %2$s + ?
        WHERE lease_until <= %2$s""";
    try (PreparedStatement statement = prepare(connection, take, now)) {
      statement.setString(1, holder);
      statement.setString(2, UUID.randomUUID().toString());
      statement.setLong(3, lease.toMillis());
      int unused = statement.executeUpdate();
    }
    return read(connection);
  }

  private PreparedStatement prepare(Connection connection, String sql, String now)
      throws SQLException {
    return connection.prepareStatement(sql.formatted(tables.leases(), now));
  }

  /**
   * A lease whose epoch has not changed goes on counting its attempts, also after it could not be
   * given up.
   */
  private Map<Integer, PartitionLease> read(Connection connection) throws SQLException {
    Map<Integer, PartitionLease> found = new TreeMap<>();
    String sql = "SELECT partition_no, relay, epoch FROM %s WHERE holder = ?";
    try (PreparedStatement statement = prepare(connection, sql, "")) {
      statement.setString(1, holder);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          int partition = rows.getInt(1);
          long epoch = rows.getLong(3);
          PartitionLease before = known.get(partition);
          PartitionLease now =
              before != null && before.epoch() == epoch
                  ? before
                  : new PartitionLease(partition, rows.getString(2), epoch);
          known.put(partition, now);
          found.put(partition, now);
        }
      }
    }
    return found;
  }

  /** Returns the leases by partition. */
  Map<Integer, PartitionLease> held() {
    return held;
  }

  /** Returns the lease of a partition; null if it is not held. */
  @Nullable PartitionLease of(int partition) {
    return held.get(partition);
  }

  /**
   * Gives a lease up, if it is still this relay's: whoever takes the partition next, which may be
   * this relay, has a higher epoch.
   */
  void giveUp(PartitionLease lost) {
    Map<Integer, PartitionLease> others = new TreeMap<>(held);
    PartitionLease unused = others.remove(lost.partition());
    held = others;
    String sql =
        "UPDATE %s SET holder = NULL, lease_until = 0 WHERE holder = ? AND partition_no = ? AND epoch = ?";
    int unusedRows =
        database.inTransaction(
            "give up partition " + lost.partition(),
            (connection, now) -> {
              try (PreparedStatement statement = prepare(connection, sql, now)) {
                statement.setString(1, holder);
                statement.setInt(2, lost.partition());
                statement.setLong(3, lost.epoch());
                return statement.executeUpdate();
              }
            });
  }

  /** Gives all leases up, so that another relay can take them at once. */
  void release() {
    held = Map.of();
    String sql = "UPDATE %s SET holder = NULL, lease_until = 0 WHERE holder = ?";
    int unused =
        database.inTransaction(
            "give up its leases",
            (connection, now) -> {
              try (PreparedStatement statement = prepare(connection, sql, now)) {
                statement.setString(1, holder);
                return statement.executeUpdate();
              }
            });
  }
}
