package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The table {@code jt_minute_count}. */
final class JdbcMinuteCountStore implements MinuteCountStore {
  private static final String TABLE = "jt_minute_count";
  private static final List<String> KEY = List.of("node_group", "minute_at", "tracker");
  private static final RowColumns<Row> COLUMNS = columns();
  private static final List<String> SETS =
      Arrays.stream(Of.values()).map(JdbcMinuteCountStore::set).toList();
  private static final String SUMS =
      Arrays.stream(Of.values())
          .map(what -> (what == Of.LATE_MAX ? "MAX(" : "SUM(") + what.column() + ") AS " + what)
          .collect(Collectors.joining(", "));

  private final Database database;
  private final RowInsert<Row> upsert;

  private record Row(int tracker, MinuteCount counted) {}

  JdbcMinuteCountStore(Database database) {
    this.database = database;
    this.upsert = RowInsert.upsert(database.dialect(), TABLE, COLUMNS, KEY, SETS);
  }

  private static RowColumns<Row> columns() {
    RowColumns<Row> columns =
        RowColumns.<Row>of()
            .text("node_group", row -> row.counted().nodeGroup())
            .number("minute_at", row -> row.counted().minuteAt())
            .number("tracker", Row::tracker);
    for (Of what : Of.values()) {
      columns = columns.number(what.column(), row -> row.counted().counts().get(what));
    }
    return columns;
  }

  private static String set(Of what) {
    String column = what.column();
    return what == Of.LATE_MAX
        ? column + " = GREATEST(existing." + column + ", given." + column + ")"
        : column + " = existing." + column + " + given." + column;
  }

  @Override
  public void add(int tracker, List<MinuteCount> counted) {
    if (counted.isEmpty()) {
      return;
    }
    List<Row> rows =
        counted.stream()
            .sorted(
                Comparator.comparing(MinuteCount::nodeGroup).thenComparing(MinuteCount::minuteAt))
            .map(each -> new Row(tracker, each))
            .toList();
    database.insert("add to the counts of " + rows.size() + " minutes", upsert, rows);
  }

  /** ORDER BY names the equality column too: H2 would sort all rows otherwise. */
  @Override
  public List<MinuteCount> minutes(String nodeGroup, long from, long to) {
    String sql =
        "SELECT minute_at, %s %s GROUP BY node_group, minute_at ORDER BY node_group, minute_at"
            .formatted(SUMS, fromRange());
    return database.list(
        "read the counts of minutes",
        sql,
        Map.of("nodeGroup", nodeGroup, "from", from, "to", to),
        (row, number) -> new MinuteCount(nodeGroup, row.getLong("minute_at"), read(row)));
  }

  @Override
  public Counts sum(String nodeGroup, long from, long to) {
    return database
        .find(
            "sum the counts of minutes",
            "SELECT " + SUMS + fromRange(),
            Map.of("nodeGroup", nodeGroup, "from", from, "to", to),
            (row, number) -> read(row))
        .orElseThrow();
  }

  private String fromRange() {
    return """
     FROM jt_minute_count %s
    WHERE node_group = :nodeGroup AND minute_at >= :from AND minute_at < :to"""
        .formatted(database.dialect().keyIndexHint());
  }

  @Override
  public int deleteBefore(long minuteAt, int limit) {
    String sql = database.dialect().deleteFirst(TABLE, "minute_at < :before", List.of("minute_at"));
    return database.update(
        "delete the counts of old minutes", sql, Map.of("before", minuteAt, "limit", limit));
  }

  private static Counts read(ResultSet row) throws SQLException {
    Map<Of, Long> counted = new EnumMap<>(Of.class);
    for (Of what : Of.values()) {
      counted.put(what, row.getLong(what.name()));
    }
    return new Counts(counted);
  }
}
