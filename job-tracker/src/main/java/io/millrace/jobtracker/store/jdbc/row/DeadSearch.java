package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.DeadStore.Query;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Searches dead triggers of one state in the index that orders them by time of death. Task ids have
 * no index, because every insert would pay for it; so a search by task id reads a bounded number of
 * rows. Thread-safe.
 */
public final class DeadSearch {
  private static final String HAS_PREFIX = "LEFT(task_id, CHAR_LENGTH(:prefix)) = :prefix";

  private final Database database;

  public DeadSearch(Database database) {
    this.database = database;
  }

  /** A range of an index, and the end from which it is read. */
  public record Range(Query query, DeadState state, AgeOrder order, @Nullable Place behind) {

    private String index() {
      return query.nodeGroup() == null ? "ix_dead_state" : "ix_dead_group";
    }

    private boolean isAscending() {
      return order == AgeOrder.OLDEST_FIRST;
    }

    /** Triggers that died in the same millisecond as the place are ordered by id. */
    private String condition() {
      String group = query.nodeGroup() == null ? "" : "node_group = :nodeGroup AND ";
      String rest =
          behind == null
              ? ""
              : DirectedSql.of(" AND (died_at ${beyond} :placeAt OR id ${beyond} :placeId)", order);
      return group + "state = :state AND died_at >= :from AND died_at <= :to" + rest;
    }

    private String sort() {
      String group = query.nodeGroup() == null ? "" : "node_group ${direction}, ";
      return DirectedSql.of(
          group + "state ${direction}, died_at ${direction}, id ${direction}", order);
    }

    private long from() {
      return behind != null && isAscending()
          ? Math.max(query.diedFrom(), behind.diedAt())
          : query.diedFrom();
    }

    private long to() {
      long last = query.diedBefore() - 1;
      return behind != null && !isAscending() ? Math.min(last, behind.diedAt()) : last;
    }

    /** Binds all values; a statement need not contain each. */
    private StatementSpec bind(StatementSpec statement) {
      return statement
          .params(Map.of("state", state.name(), "from", from(), "to", to()))
          .param("nodeGroup", query.nodeGroup())
          .param("prefix", query.taskPrefix())
          .param("placeAt", behind == null ? null : (Long) behind.diedAt())
          .param("placeId", behind == null ? null : (Long) behind.id());
    }
  }

  /**
   * The result of a search in one range.
   *
   * @param found the places found, in order
   * @param reached the last place read; null if the range has no more rows
   */
  public record Looked(List<Place> found, @Nullable Place reached) {}

  /**
   * Finds at most limit triggers of a range; reads at most {@code lookAt} rows if the query has a
   * task prefix, and otherwise only the rows that it returns.
   */
  public Looked look(Range range, int limit, int lookAt) {
    boolean isFiltered = range.query().taskPrefix() != null;
    List<Place> found = isFiltered ? filtered(range, limit, lookAt) : first(range, 0, limit);
    if (found.size() == limit) {
      return new Looked(found, found.get(limit - 1));
    }
    return new Looked(found, isFiltered ? placeOf(range, lookAt).orElse(null) : null);
  }

  /**
   * The result of a count.
   *
   * @param found those that have the task prefix, among those examined
   */
  public record Counted(int examined, int found) {}

  /** Counts the triggers of a range, of at most so many rows. */
  public Counted count(Range range, int lookAt) {
    String found =
        range.query().taskPrefix() == null
            ? "COUNT(*)"
            : "COALESCE(SUM(CASE WHEN " + HAS_PREFIX + " THEN 1 ELSE 0 END), 0)";
    String sql =
        "SELECT COUNT(*) AS examined, %s AS found FROM (%s) AS looked"
            .formatted(found, looked(range));
    return range
        .bind(database.sql(sql))
        .param("lookAt", lookAt)
        .query((row, number) -> new Counted(row.getInt("examined"), row.getInt("found")))
        .single();
  }

  /** The place of the row with this number, from 1; empty if the range has fewer rows. */
  public Optional<Place> placeOf(Range range, int number) {
    return first(range, number - 1, 1).stream().findFirst();
  }

  private List<Place> first(Range range, int offset, int limit) {
    return range
        .bind(database.sql(select("died_at, id", range) + " LIMIT :limit OFFSET :offset"))
        .params(Map.of("limit", limit, "offset", offset))
        .query(DeadSearch::place)
        .list();
  }

  /** Bounds the rows before it filters them, so that a rare task id costs no more. */
  private List<Place> filtered(Range range, int limit, int lookAt) {
    String sort = DirectedSql.of(" ORDER BY died_at ${direction}, id ${direction}", range.order());
    String sql =
        "SELECT died_at, id FROM (%s) AS looked%s%s LIMIT :limit"
            .formatted(looked(range), filter(range), sort);
    return range
        .bind(database.sql(sql))
        .params(Map.of("lookAt", lookAt, "limit", limit))
        .query(DeadSearch::place)
        .list();
  }

  private String looked(Range range) {
    String columns = range.query().taskPrefix() == null ? "died_at, id" : "died_at, id, task_id";
    return select(columns, range) + " LIMIT :lookAt";
  }

  private String select(String columns, Range range) {
    String hint = database.dialect().indexHint(range.index());
    return "SELECT %s FROM jt_dead %s WHERE %s ORDER BY %s"
        .formatted(columns, hint, range.condition(), range.sort());
  }

  private static String filter(Range range) {
    return range.query().taskPrefix() == null ? "" : " WHERE " + HAS_PREFIX;
  }

  private static Place place(ResultSet row, int rowNumber) throws SQLException {
    return new Place(row.getLong("died_at"), row.getLong("id"));
  }
}
