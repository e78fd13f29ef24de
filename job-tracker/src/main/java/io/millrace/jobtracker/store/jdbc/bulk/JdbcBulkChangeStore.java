package io.millrace.jobtracker.store.jdbc.bulk;

import io.millrace.jobtracker.store.console.BulkChangeStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_bulk_change}. */
public final class JdbcBulkChangeStore implements BulkChangeStore {
  private static final int ADDRESS_CHARS = 64;
  private static final int REASON_CHARS = 1_000;

  /** The failures, as the JSON of their column. */
  private record Kept(List<Failure> first) {}

  private static final RowColumns<Request> REQUEST =
      RowColumns.<Request>of()
          .name("action", Request::action)
          .json("search", Request::filter)
          .json("options", Request::options)
          .number("requested_at", Request::at)
          .text("operator", Request::operator)
          .text("address", ADDRESS_CHARS, Request::address);

  private static final RowColumns<Progress> PROGRESS =
      RowColumns.<Progress>of()
          .number("total", Progress::total)
          .number("done", Progress::done)
          .number("failed", Progress::failed)
          .text("reached", Progress::reached)
          .json("failures", progress -> new Kept(progress.failures()));

  private static final RowColumns<BulkChange> COLUMNS =
      RowColumns.<BulkChange>of()
          .number("id", BulkChange::id)
          .part(BulkChange::request, REQUEST)
          .name("state", JdbcBulkChangeStore::stateOf)
          .part(BulkChange::progress, PROGRESS)
          .number("ended_at", change -> change.end() == null ? null : change.end().at())
          .text("end_reason", change -> change.end() == null ? null : change.end().reason());

  private static final String SELECT = "SELECT " + COLUMNS.list() + " FROM jt_bulk_change ";

  private final Database database;
  private final RowInsert<BulkChange> insert =
      RowInsert.into("jt_bulk_change", COLUMNS, change -> 0);

  public JdbcBulkChangeStore(Database database) {
    this.database = database;
  }

  private static State stateOf(BulkChange change) {
    return change.end() == null ? State.ACTIVE : change.end().state();
  }

  @Override
  public void add(long id, Request request) {
    database.insert(
        "add bulk change " + id, insert, List.of(new BulkChange(id, request, Progress.NONE, null)));
  }

  @Override
  public Optional<BulkChange> find(long id) {
    return database.find(
        "find bulk change " + id,
        SELECT + "WHERE id = :id",
        Map.of("id", id),
        JdbcBulkChangeStore::read);
  }

  @Override
  public List<BulkChange> list(long belowId, int limit) {
    return list("id < :below", belowId, limit);
  }

  @Override
  public List<BulkChange> listActive(long belowId, int limit) {
    return list("ended_at IS NULL AND id < :below", belowId, limit);
  }

  private List<BulkChange> list(String condition, long belowId, int limit) {
    return database.list(
        "list bulk changes",
        SELECT + "WHERE " + condition + " ORDER BY id DESC LIMIT :limit",
        Map.of("below", belowId, "limit", limit),
        JdbcBulkChangeStore::read);
  }

  @Override
  public boolean lease(long id, long owner, long now, long until) {
    return database.updateOne(
        "lease bulk change " + id,
        """
        UPDATE jt_bulk_change SET owner = :owner, lease_until = :until
        WHERE id = :id AND ended_at IS NULL
          AND (owner IS NULL OR owner = :owner OR lease_until <= :now)""",
        Map.of("id", id, "owner", owner, "now", now, "until", until));
  }

  @Override
  public boolean save(long id, long owner, Progress progress) {
    MapSqlParameterSource values = PROGRESS.values(progress);
    return database.update(
            "save how far bulk change " + id + " is",
            "UPDATE jt_bulk_change SET " + PROGRESS.sets() + " WHERE id = :id AND owner = :owner",
            values.addValue("id", id).addValue("owner", owner))
        == 1;
  }

  @Override
  public boolean end(long id, End end) {
    String what = "end bulk change " + id;
    MapSqlParameterSource values =
        new MapSqlParameterSource(Map.of("id", id, "state", end.state().name(), "at", end.at()))
            .addValue("reason", Columns.bounded(end.reason(), REASON_CHARS), Types.VARCHAR);
    String set =
        """
        UPDATE jt_bulk_change SET state = :state, ended_at = :at, end_reason = :reason
        WHERE id = :id AND ended_at IS NULL""";
    return database.update(what, set, values) == 1;
  }

  @Override
  public void release(long owner) {
    int unused =
        database.update(
            "release the bulk changes of " + owner,
            """
            UPDATE jt_bulk_change SET owner = NULL, lease_until = NULL
            WHERE ended_at IS NULL AND owner = :owner""",
            Map.of("owner", owner));
  }

  @Override
  public int deleteEndedBefore(long before, int limit) {
    String sql =
        database
            .dialect()
            .deleteFirst("jt_bulk_change", "ended_at < :before", List.of("ended_at", "id"));
    return database.update(
        "delete old bulk changes", sql, Map.of("before", before, "limit", limit));
  }

  private static BulkChange read(ResultSet row, int rowNumber) throws SQLException {
    return new BulkChange(
        row.getLong("id"),
        new Request(
            Action.valueOf(row.getString("action")),
            Columns.readJson(row, "search", Filter.class),
            Columns.readJson(row, "options", Options.class),
            row.getLong("requested_at"),
            row.getString("operator"),
            row.getString("address")),
        new Progress(
            Columns.readLongOrNull(row, "total"),
            row.getLong("done"),
            row.getLong("failed"),
            row.getString("reached"),
            Columns.readJson(row, "failures", Kept.class).first()),
        readEnd(row));
  }

  private static @Nullable End readEnd(ResultSet row) throws SQLException {
    Long at = Columns.readLongOrNull(row, "ended_at");
    return at == null
        ? null
        : new End(State.valueOf(row.getString("state")), at, row.getString("end_reason"));
  }
}
