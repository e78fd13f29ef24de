package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.store.DeadStore.Order;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.DeadStore.Query;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Searches dead triggers of one state in the index that orders them by time of death. Task ids have
 * no index, because every insert would pay for it; so a search by task id reads a bounded number of
 * rows. Thread-safe.
 */
public final class DeadSearch {
  private final Database database;

  public DeadSearch(Database database) {
    this.database = database;
  }

  /** A range of an index, and the end from which it is read. */
  public record Range(Query query, DeadState state, Order order, @Nullable Place behind) {

    private String index() {
      return query.nodeGroup() == null ? "ix_dead_state" : "ix_dead_group";
    }

    private boolean isAscending() {
      return order == Order.OLDEST_FIRST;
    }

    /** Triggers that died in the same millisecond as the place are ordered by id. */
    private String condition() {
      String group = query.nodeGroup() == null ? "" : "node_group = :nodeGroup AND ";
      String rest = "";
      if (behind != null) {
        rest =
            isAscending()
                ? " AND (died_at > :placeAt OR id > :placeId)"
                : " AND (died_at < :placeAt OR id < :placeId)";
      }
      return group + "state = :state AND died_at >= :from AND died_at <= :to" + rest;
    }

    private String sort() {
      String columns = query.nodeGroup() == null ? "state" : "node_group, state";
      String sorted = columns + ", died_at, id";
      return isAscending() ? sorted : sorted.replace(",", " DESC,") + " DESC";
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

    private StatementSpec bind(StatementSpec statement) {
      StatementSpec bound =
          statement.param("state", state.name()).param("from", from()).param("to", to());
      if (query.nodeGroup() != null) {
        bound = bound.param("nodeGroup", query.nodeGroup());
      }
      return behind == null
          ? bound
          : bound.param("placeAt", behind.diedAt()).param("placeId", behind.id());
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
    return new Looked(found, isFiltered ? placeAfter(range, lookAt).orElse(null) : null);
  }

  public int count(Range range, int lookAt) {
    String counted = "SELECT COUNT(*) FROM (" + looked(range) + ") AS looked" + filter(range);
    return bindFilter(range, range.bind(database.sql(counted)).param("lookAt", lookAt))
        .query(Integer.class)
        .single();
  }

  private List<Place> first(Range range, int offset, int limit) {
    String sql =
        "SELECT died_at, id FROM jt_dead %s WHERE %s ORDER BY %s LIMIT :limit OFFSET :offset"
            .formatted(
                database.dialect().indexHint(range.index()), range.condition(), range.sort());
    return range
        .bind(database.sql(sql))
        .param("limit", limit)
        .param("offset", offset)
        .query((row, number) -> new Place(row.getLong("died_at"), row.getLong("id")))
        .list();
  }

  private Optional<Place> placeAfter(Range range, int rows) {
    return first(range, rows - 1, 1).stream().findFirst();
  }

  /** Bounds the rows before it filters them, so that a rare task id costs no more. */
  private List<Place> filtered(Range range, int limit, int lookAt) {
    String sort = range.isAscending() ? "died_at, id" : "died_at DESC, id DESC";
    String sql =
        "SELECT died_at, id FROM (%s) AS looked%s ORDER BY %s LIMIT :limit"
            .formatted(looked(range), filter(range), sort);
    return bindFilter(range, range.bind(database.sql(sql)))
        .param("lookAt", lookAt)
        .param("limit", limit)
        .query((row, number) -> new Place(row.getLong("died_at"), row.getLong("id")))
        .list();
  }

  private String looked(Range range) {
    String column = range.query().taskPrefix() == null ? "" : ", task_id";
    return "SELECT died_at, id%s FROM jt_dead %s WHERE %s ORDER BY %s LIMIT :lookAt"
        .formatted(
            column, database.dialect().indexHint(range.index()), range.condition(), range.sort());
  }

  private static String filter(Range range) {
    return range.query().taskPrefix() == null
        ? ""
        : " WHERE LEFT(task_id, CHAR_LENGTH(:prefix)) = :prefix";
  }

  private static StatementSpec bindFilter(Range range, StatementSpec statement) {
    String prefix = range.query().taskPrefix();
    return prefix == null ? statement : statement.param("prefix", prefix);
  }
}
