package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.LedgerStore.Found;
import io.millrace.jobtracker.store.LedgerStore.FoundOfJob;
import io.millrace.jobtracker.store.LedgerStore.Place;
import io.millrace.jobtracker.store.LedgerStore.Search;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Searches the ledger, newest first. It bounds rows before it filters them, so that rare matches
 * cost no more; without a filter, a search over all jobs reads only as many rows as it returns. It
 * finds the matching ids first, without messages.
 */
public final class LedgerSearch {
  private static final Comparator<LedgerEntry> BY_ID = Comparator.comparingLong(LedgerEntry::id);
  private static final Comparator<LedgerEntry> BY_PLANNED_TIME =
      Comparator.comparingLong(LedgerEntry::plannedFor).thenComparing(BY_ID);

  private final Database database;
  private final Function<Collection<Long>, List<LedgerEntry>> find;

  /**
   * Creates a search.
   *
   * @param find reads rows by their ids
   */
  public LedgerSearch(Database database, Function<Collection<Long>, List<LedgerEntry>> find) {
    this.database = database;
    this.find = find;
  }

  public Found run(Search search, AgeOrder order, int limit, int lookAt) {
    String range =
        DirectedSql.of(
            "FROM jt_history %s WHERE id < :belowId AND id >= :fromId ORDER BY id ${direction}"
                .formatted(database.dialect().keyIndexHint()),
            order);
    Map<String, Object> values =
        new HashMap<>(Map.of("belowId", search.belowId(), "fromId", search.fromId()));
    String filter = filter(search, values);
    int most = filter.isEmpty() ? limit : lookAt;
    String sql =
        "SELECT id FROM (SELECT id, node_group, status, worker_id, finished_at "
            + range
            + " LIMIT :lookAt) AS looked_at WHERE 1 = 1"
            + filter
            + DirectedSql.of(" ORDER BY id ${direction} LIMIT :limit", order);
    List<Long> ids =
        database
            .sql(sql)
            .params(values)
            .params(Map.of("limit", limit, "lookAt", most))
            .query(Long.class)
            .list();
    @Nullable Long next =
        ids.size() == limit
            ? ids.get(limit - 1)
            : database
                .sql("SELECT id " + range + " LIMIT 1 OFFSET :offset")
                .params(values)
                .param("offset", most - 1)
                .query(Long.class)
                .optional()
                .orElse(null);
    return new Found(sorted(ids, BY_ID, order), next);
  }

  /** ORDER BY names the equality column too: H2 would sort all rows of the job otherwise. */
  public FoundOfJob runJob(
      long jobId, Search search, AgeOrder order, Place behind, int limit, int lookAt) {
    String range =
        DirectedSql.of(
            """
        FROM jt_history
        WHERE job_id = :jobId AND planned_for ${beyond}= :plannedFor
          AND (planned_for ${beyond} :plannedFor OR id ${beyond} :id)
        ORDER BY job_id ${direction}, planned_for ${direction}, id ${direction}""",
            order);
    Map<String, Object> values =
        new HashMap<>(Map.of("belowId", search.belowId(), "fromId", search.fromId()));
    values.putAll(Map.of("jobId", jobId, "plannedFor", behind.plannedFor(), "id", behind.id()));
    String sql =
        "SELECT planned_for, id"
            + " FROM (SELECT id, planned_for, node_group, status, worker_id, finished_at "
            + range
            + " LIMIT :lookAt) AS looked_at WHERE id < :belowId AND id >= :fromId"
            + filter(search, values)
            + DirectedSql.of(
                " ORDER BY planned_for ${direction}, id ${direction} LIMIT :limit", order);
    List<Place> places =
        database
            .sql(sql)
            .params(values)
            .params(Map.of("limit", limit, "lookAt", lookAt))
            .query(LedgerSearch::place)
            .list();
    return new FoundOfJob(
        sorted(places.stream().map(Place::id).toList(), BY_PLANNED_TIME, order),
        places.size() == limit ? places.get(limit - 1) : lastLookedAt(range, values, lookAt));
  }

  private static Place place(ResultSet row, int rowNumber) throws SQLException {
    return new Place(row.getLong("planned_for"), row.getLong("id"));
  }

  private @Nullable Place lastLookedAt(String range, Map<String, Object> values, int lookAt) {
    return database
        .sql("SELECT planned_for, id " + range + " LIMIT 1 OFFSET :offset")
        .params(values)
        .param("offset", lookAt - 1)
        .query(LedgerSearch::place)
        .optional()
        .orElse(null);
  }

  /** The conditions on columns without an index; each begins with AND. */
  public static String filter(Search search, Map<String, Object> values) {
    StringBuilder filter = new StringBuilder();
    if (search.nodeGroup() != null) {
      values.put("nodeGroup", search.nodeGroup());
      filter.append(" AND node_group = :nodeGroup");
    }
    if (!search.statuses().isEmpty()) {
      values.put("statuses", search.statuses().stream().map(Enum::name).toList());
      filter.append(" AND status IN (:statuses)");
    }
    if (search.workerId() != null) {
      values.put("workerId", search.workerId());
      filter.append(" AND worker_id = :workerId");
    }
    if (search.asksForEnds()) {
      values.put("endedFrom", search.endedFrom());
      values.put("endedBefore", search.endedBefore());
      filter.append(" AND finished_at >= :endedFrom AND finished_at < :endedBefore");
    }
    return filter.toString();
  }

  private List<LedgerEntry> sorted(List<Long> ids, Comparator<LedgerEntry> by, AgeOrder order) {
    Comparator<LedgerEntry> sort = order == AgeOrder.NEWEST_FIRST ? by.reversed() : by;
    return ids.isEmpty() ? List.of() : find.apply(ids).stream().sorted(sort).toList();
  }
}
