package io.millrace.jobtracker.store.jdbc;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;

import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The tables {@code jt_minute_count} and {@code jt_hour_count}. */
final class JdbcMinuteCountStore implements MinuteCountStore {
  private static final String MINUTES = "jt_minute_count";
  private static final String HOURS = "jt_hour_count";
  private static final RowColumns<Row> MINUTE_COLUMNS =
      counted(
          RowColumns.<Row>of()
              .text("node_group", Row::nodeGroup)
              .number("minute_at", Row::at)
              .number("tracker", Row::tracker));
  private static final RowColumns<Row> HOUR_COLUMNS =
      counted(RowColumns.<Row>of().text("node_group", Row::nodeGroup).number("hour_at", Row::at));
  private static final List<String> SETS =
      Arrays.stream(Of.values()).map(JdbcMinuteCountStore::set).toList();
  private static final String SUMS =
      Arrays.stream(Of.values())
          .map(what -> (what == Of.LATE_MAX ? "MAX(" : "SUM(") + what.column() + ") AS " + what)
          .collect(Collectors.joining(", "));

  private final Database database;
  private final RowInsert<Row> addMinutes;
  private final RowInsert<Row> addHours;

  /** A row of minutes, or, without a tracker, of hours. */
  private record Row(String nodeGroup, long at, int tracker, Counts counts) {
    static final Comparator<Row> BY_KEY =
        Comparator.comparing(Row::nodeGroup).thenComparing(Row::at);
  }

  JdbcMinuteCountStore(Database database) {
    this.database = database;
    this.addMinutes =
        RowInsert.upsert(
            database.dialect(),
            MINUTES,
            MINUTE_COLUMNS,
            List.of("node_group", "minute_at", "tracker"),
            SETS);
    this.addHours =
        RowInsert.upsert(
            database.dialect(), HOURS, HOUR_COLUMNS, List.of("node_group", "hour_at"), SETS);
  }

  private static RowColumns<Row> counted(RowColumns<Row> key) {
    RowColumns<Row> columns = key;
    for (Of what : Of.values()) {
      columns = columns.number(what.column(), row -> row.counts().get(what));
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
            .map(each -> new Row(each.nodeGroup(), each.minuteAt(), tracker, each.counts()))
            .sorted(Row.BY_KEY)
            .toList();
    database.insert("add to the counts of " + rows.size() + " minutes", addMinutes, rows);
  }

  /** ORDER BY names the equality column too: H2 would sort all rows otherwise. */
  @Override
  public List<MinuteCount> minutes(String nodeGroup, long from, long to) {
    String sql =
        "SELECT minute_at, %s %s GROUP BY node_group, minute_at ORDER BY node_group, minute_at"
            .formatted(SUMS, fromRange(MINUTES, "minute_at"));
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
            "SELECT " + SUMS + fromRange(MINUTES, "minute_at"),
            Map.of("nodeGroup", nodeGroup, "from", from, "to", to),
            (row, number) -> read(row))
        .orElseThrow();
  }

  private String fromRange(String table, String at) {
    return """
     FROM %1$s %2$s
    WHERE node_group = :nodeGroup AND %3$s >= :from AND %3$s < :to"""
        .formatted(table, database.dialect().keyIndexHint(), at);
  }

  /**
   * The rows stay locked until they are deleted: what is added to one meanwhile waits, and is a row
   * of its own then. Without ORDER BY: H2 would lock all old rows, and sort them.
   */
  @Override
  public int moveToHours(long before, int limit) {
    String what = "move the counts of old minutes to their hours";
    String some =
        """
        SELECT %s FROM jt_minute_count %s
        WHERE minute_at < :before LIMIT :limit FOR UPDATE"""
            .formatted(
                MINUTE_COLUMNS.list(), database.dialect().indexHint("ix_minute_count_minute"));
    return database.call(
        what,
        () -> {
          List<Row> minutes =
              database.list(
                  what,
                  some,
                  Map.of("before", before, "limit", limit),
                  JdbcMinuteCountStore::readMinute);
          database.insert(what, addHours, hoursOf(minutes));
          return delete(what, minutes);
        });
  }

  private static List<Row> hoursOf(List<Row> minutes) {
    return minutes.stream()
        .map(row -> new Row(row.nodeGroup(), hourOf(row.at()), 0, row.counts()))
        .collect(
            toMap(
                row -> Map.entry(row.nodeGroup(), row.at()),
                row -> row,
                (one, other) ->
                    new Row(one.nodeGroup(), one.at(), 0, one.counts().plus(other.counts()))))
        .values()
        .stream()
        .sorted(Row.BY_KEY)
        .toList();
  }

  private static long hourOf(long minuteAt) {
    return minuteAt - Math.floorMod(minuteAt, HOUR);
  }

  /** The range repeats what the list says: H2 would read all minutes of the node group. */
  private int delete(String what, List<Row> minutes) {
    String sql =
        """
        DELETE FROM jt_minute_count
        WHERE node_group = :nodeGroup AND minute_at >= :earliest AND minute_at <= :latest
          AND minute_at IN (:ids) AND tracker = :tracker""";
    Collection<List<Row>> byTracker =
        minutes.stream()
            .collect(groupingBy(row -> Map.entry(row.nodeGroup(), row.tracker()), toList()))
            .values();
    int deleted = 0;
    for (List<Row> rows : byTracker) {
      Row any = rows.get(0);
      List<Long> minutesAt = rows.stream().map(Row::at).toList();
      Map<String, ?> values =
          Map.of(
              "nodeGroup",
              any.nodeGroup(),
              "tracker",
              any.tracker(),
              "earliest",
              Collections.min(minutesAt),
              "latest",
              Collections.max(minutesAt));
      deleted += database.updateByIds(what, sql, minutesAt, values);
    }
    return deleted;
  }

  /** One statement, which sees each event once: a row that is moved is in one of the tables. */
  @Override
  public List<HourCount> hours(String nodeGroup, long from, long to) {
    String sql =
        hoursFrom(HOURS, "hour_at", "hour_at")
            + " UNION ALL "
            + hoursFrom(MINUTES, "minute_at", "minute_at - MOD(minute_at, " + HOUR + ")");
    SortedMap<Long, Counts> hours = new TreeMap<>();
    database
        .list(
            "read the counts of hours",
            sql,
            Map.of("nodeGroup", nodeGroup, "from", from, "to", to),
            (row, number) -> new HourCount(row.getLong("began_at"), read(row)))
        .forEach(each -> hours.merge(each.hourAt(), each.counts(), Counts::plus));
    return hours.entrySet().stream()
        .map(each -> new HourCount(each.getKey(), each.getValue()))
        .toList();
  }

  private String hoursFrom(String table, String at, String hour) {
    return "SELECT %1$s AS began_at, %2$s%3$s GROUP BY %1$s"
        .formatted(hour, SUMS, fromRange(table, at));
  }

  @Override
  public int deleteHoursBefore(long before, int limit) {
    String sql = database.dialect().deleteFirst(HOURS, "hour_at < :before", List.of("hour_at"));
    return database.update(
        "delete the counts of old hours", sql, Map.of("before", before, "limit", limit));
  }

  private static Row readMinute(ResultSet row, int number) throws SQLException {
    return new Row(
        row.getString("node_group"), row.getLong("minute_at"), row.getInt("tracker"), read(row));
  }

  private static Counts read(ResultSet row) throws SQLException {
    Map<Of, Long> counted = new EnumMap<>(Of.class);
    for (Of what : Of.values()) {
      counted.put(what, row.getLong(what.name()));
    }
    return new Counts(counted);
  }
}
