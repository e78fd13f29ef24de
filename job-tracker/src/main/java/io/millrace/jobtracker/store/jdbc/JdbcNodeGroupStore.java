package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_node_group}, and the creation of waiting tables. */
final class JdbcNodeGroupStore implements NodeGroupStore {
  private static final String SELECT = "SELECT name, table_name, owner, epoch FROM jt_node_group ";

  private final Database database;
  private final WaitingTables waitingTables;
  private final MentionedNodeGroups mentionedGroups;
  private final UnusedNodeGroups unusedGroups;

  JdbcNodeGroupStore(Database database, WaitingTables waitingTables) {
    this.database = database;
    this.waitingTables = waitingTables;
    this.mentionedGroups = new MentionedNodeGroups(database);
    this.unusedGroups = new UnusedNodeGroups(database, waitingTables);
  }

  /**
   * Inserts the row last, so that every group with a row has a table. Trackers that add groups at
   * the same time may exceed the bound by the groups added concurrently.
   */
  @Override
  public NodeGroup ensure(String name, Creator creator, Bounds bounds) {
    database.requireNoTransaction("creating the table of node group " + name);
    Optional<NodeGroup> existing = find(name);
    if (existing.isPresent()) {
      upgradeTable(existing.get());
      return existing.get();
    }
    if (count() >= bounds.all()) {
      throw TooManyNodeGroupsException.inAll(name, bounds.all());
    }
    if (creator.id() != null && count(creator.id()) >= bounds.ofCreator()) {
      throw TooManyNodeGroupsException.of(creator, name, bounds.ofCreator());
    }
    WaitingTableName table = WaitingTableName.of(name);
    waitingTables.create(table);
    insert(name, table, "0", creator.id());
    return find(name)
        .orElseThrow(
            () -> new StoreException("the row of node group " + name + " cannot be created", null));
  }

  /** In one transaction, and so over one connection: the settings belong to its session. */
  @Override
  public Map<String, Long> tableBytes() {
    String what = "read the sizes of tables";
    Dialect dialect = database.dialect();
    return database.call(
        what,
        () -> {
          dialect.prepareTableBytes(database.jdbc());
          return database.map(
              what,
              dialect.tableBytes(),
              Map.of(),
              (row, number) -> Map.entry(row.getString(1), row.getLong(2)));
        });
  }

  /** Upgrades the tables of all groups. */
  void upgradeTables() {
    all().forEach(this::upgradeTable);
  }

  /** Updates the row last, so that a table has at least the version that its row states. */
  private void upgradeTable(NodeGroup group) {
    String select = "SELECT schema_version FROM jt_node_group WHERE name = :name";
    String raise =
        """
        UPDATE jt_node_group SET write_seq = write_seq + 1, schema_version = :version
        WHERE name = :name AND schema_version < :version""";
    int version =
        database.single(
            "read the table version of node group " + group.name(),
            select,
            Map.of("name", group.name()),
            Integer.class);
    if (version >= WaitingTables.SCHEMA_VERSION) {
      return;
    }
    waitingTables.upgrade(WaitingTableName.of(group.name()), version);
    database.update(
        "raise the table version of node group " + group.name(),
        raise,
        Map.of("name", group.name(), "version", WaitingTables.SCHEMA_VERSION));
  }

  private long count() {
    String sql = "SELECT COUNT(*) FROM jt_node_group";
    return database.single("count node groups", sql, Map.of(), Long.class);
  }

  private long count(String creator) {
    String sql = "SELECT COUNT(*) FROM jt_node_group WHERE created_by = :creator";
    return database.single(
        "count node groups of a creator", sql, Map.of("creator", creator), Long.class);
  }

  /**
   * Inserts the group's row, unless another tracker has done so.
   *
   * @param epoch the initial epoch, as an SQL expression
   */
  private void insert(String name, WaitingTableName table, String epoch, @Nullable String creator) {
    String sql =
        """
        INSERT INTO jt_node_group
          (name, table_name, schema_version, owner, epoch, created_at, write_seq, created_by)
        VALUES (:name, :tableName, :schemaVersion, NULL, %s, %s, 0, :creator)"""
            .formatted(epoch, database.dialect().nowMillis());
    var values =
        new MapSqlParameterSource(Map.of("name", name, "tableName", table.toString()))
            .addValue("schemaVersion", WaitingTables.SCHEMA_VERSION)
            .addValue("creator", creator, Types.VARCHAR);
    try {
      database.update("insert node group " + name, sql, values);
    } catch (DuplicateKeyException anotherTrackerWasFaster) {
      // Another tracker has inserted an equivalent row.
    }
  }

  @Override
  public Set<String> tables() {
    return tables(WaitingTableName.PREFIX);
  }

  @Override
  public Set<String> tablesSetAside() {
    return tables(WaitingTableName.PREFIX_SET_ASIDE).stream()
        .map(table -> table.substring(WaitingTableName.PREFIX_SET_ASIDE.length()))
        .map(WaitingTableName.PREFIX::concat)
        .collect(Collectors.toSet());
  }

  @Override
  public Set<String> mentionedByJobs() {
    return mentionedGroups.ofJobs();
  }

  private Set<String> tables(String prefix) {
    String sql =
        """
        SELECT LOWER(table_name) FROM information_schema.tables
        WHERE table_schema = SCHEMA() AND LEFT(LOWER(table_name), %d) = :prefix"""
            .formatted(prefix.length());
    return Set.copyOf(
        database.list("list the waiting tables", sql, Map.of("prefix", prefix), String.class));
  }

  @Override
  public Optional<String> nodeGroupOf(String table) {
    Optional<String> named = WaitingTableName.nodeGroupOf(table);
    return named.isPresent() ? named : mentionedGroups.find(table);
  }

  /**
   * A table without a row may have any version, so it is upgraded from the oldest. The new epoch is
   * the clock's time, which is far above any epoch counted up from 0.
   */
  @Override
  public void restore(String name) {
    database.requireNoTransaction("restoring node group " + name);
    WaitingTableName table = WaitingTableName.of(name);
    waitingTables.create(table);
    waitingTables.upgrade(table, 1);
    unusedGroups.bringBack(table);
    if (find(name).isEmpty()) {
      insert(name, table, database.dialect().nowMillis(), null);
    }
  }

  @Override
  public Optional<NodeGroup> find(String name) {
    return database.find(
        "find node group " + name,
        SELECT + "WHERE name = :name",
        Map.of("name", name),
        JdbcNodeGroupStore::read);
  }

  @Override
  public List<NodeGroup> all() {
    return database.list(
        "read node groups", SELECT + "ORDER BY name", Map.of(), JdbcNodeGroupStore::read);
  }

  @Override
  public boolean takeOwnership(String name, int tracker, long expectedEpoch) {
    database.requireNoTransaction("taking node group " + name);
    find(name).ifPresent(this::upgradeTable);
    String sql =
        """
        UPDATE jt_node_group SET write_seq = write_seq + 1, owner = :tracker, epoch = epoch + 1
        WHERE name = :name AND epoch = :epoch""";
    String what = "take node group " + name;
    return database.win(
        what,
        () -> database.updateOne(what, sql, owned(name, tracker, expectedEpoch)),
        () -> lockOwnership(name, tracker, expectedEpoch + 1));
  }

  @Override
  public boolean handOver(String name, int tracker, long epoch, int target) {
    return database.updateOne(
        "hand node group " + name + " over to tracker " + target,
        """
        UPDATE jt_node_group SET write_seq = write_seq + 1, owner = %d, epoch = epoch + 1
        WHERE name = :name AND owner = :tracker AND epoch = :epoch"""
            .formatted(target),
        owned(name, tracker, epoch));
  }

  @Override
  public void release(String name, int tracker, long epoch) {
    database.update(
        "release node group " + name,
        """
        UPDATE jt_node_group SET write_seq = write_seq + 1, owner = NULL
        WHERE name = :name AND owner = :tracker AND epoch = :epoch""",
        owned(name, tracker, epoch));
  }

  @Override
  public boolean lockOwnership(String name, int tracker, long epoch) {
    return database.updateOne(
        "lock the ownership of node group " + name,
        """
        UPDATE jt_node_group SET write_seq = write_seq + 1
        WHERE name = :name AND owner = :tracker AND epoch = :epoch""",
        owned(name, tracker, epoch));
  }

  @Override
  public List<Use> usesOfOwned(int tracker) {
    return database.list(
        "read the uses of node groups",
        "SELECT name, unused_since FROM jt_node_group WHERE owner = :tracker ORDER BY name",
        Map.of("tracker", tracker),
        (row, number) ->
            new Use(row.getString("name"), Columns.readLongOrNull(row, "unused_since")));
  }

  @Override
  public boolean isUsed(String name, long since) {
    return unusedGroups.isUsed(name, WaitingTableName.of(name).toString(), since);
  }

  @Override
  public void noteUse(String name, int tracker, @Nullable Long unusedSince) {
    database.update(
        "note the use of node group " + name,
        """
        UPDATE jt_node_group SET write_seq = write_seq + 1, unused_since = :since
        WHERE name = :name AND owner = :tracker""",
        new MapSqlParameterSource(Map.of("name", name, "tracker", tracker))
            .addValue("since", unusedSince, Types.BIGINT));
  }

  @Override
  public boolean drop(String name, int tracker, long epoch, long since) {
    return unusedGroups.drop(name, tracker, epoch, since);
  }

  static Map<String, ?> owned(String name, int tracker, long epoch) {
    return Map.of("name", name, "tracker", tracker, "epoch", epoch);
  }

  private static NodeGroup read(ResultSet row, int rowNumber) throws SQLException {
    return new NodeGroup(
        row.getString("name"),
        row.getString("table_name"),
        Columns.readIntOrNull(row, "owner"),
        row.getLong("epoch"));
  }
}
