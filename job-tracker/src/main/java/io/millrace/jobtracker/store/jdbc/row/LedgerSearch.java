package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.LedgerStore.Found;
import io.millrace.jobtracker.store.LedgerStore.FoundOfJob;
import io.millrace.jobtracker.store.LedgerStore.Place;
import io.millrace.jobtracker.store.LedgerStore.Search;
import io.millrace.jobtracker.store.jdbc.connect.Database;
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
  private static final Comparator<LedgerEntry> NEWEST_FIRST =
      Comparator.comparingLong(LedgerEntry::id).reversed();
  private static final Comparator<LedgerEntry> LATEST_PLANNED_FIRST =
      Comparator.comparingLong(LedgerEntry::plannedFor)
          .thenComparingLong(LedgerEntry::id)
          .reversed();

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

  public Found run(Search search, int limit, int lookAt) {
    String range =
        "FROM jt_history %s WHERE id < :belowId AND id >= :fromId ORDER BY id DESC"
            .formatted(database.dialect().keyIndexHint());
    Map<String, Object> values =
        new HashMap<>(Map.of("belowId", search.belowId(), "fromId", search.fromId()));
    String filter = filter(search, values);
    int most = filter.isEmpty() ? limit : lookAt;
    String sql =
        "SELECT id FROM (SELECT id, node_group, status, worker_id "
            + range
            + " LIMIT :lookAt) AS looked_at WHERE 1 = 1"
            + filter
            + " ORDER BY id DESC LIMIT :limit";
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
    return new Found(sorted(ids, NEWEST_FIRST), next);
  }

  /** ORDER BY names the equality column too: H2 would sort all rows of the job otherwise. */
  public FoundOfJob runJob(long jobId, Search search, Place behind, int limit, int lookAt) {
    String range =
        """
        FROM jt_history
        WHERE job_id = :jobId AND planned_for <= :plannedFor
          AND (planned_for < :plannedFor OR id < :id)
        ORDER BY job_id DESC, planned_for DESC, id DESC""";
    Map<String, Object> values =
        new HashMap<>(Map.of("belowId", search.belowId(), "fromId", search.fromId()));
    values.putAll(Map.of("jobId", jobId, "plannedFor", behind.plannedFor(), "id", behind.id()));
    String sql =
        "SELECT planned_for, id FROM (SELECT id, planned_for, node_group, status, worker_id "
            + range
            + " LIMIT :lookAt) AS looked_at WHERE id < :belowId AND id >= :fromId"
            + filter(search, values)
            + " ORDER BY planned_for DESC, id DESC LIMIT :limit";
    List<Place> places =
        database
            .sql(sql)
            .params(values)
            .params(Map.of("limit", limit, "lookAt", lookAt))
            .query(LedgerSearch::place)
            .list();
    return new FoundOfJob(
        sorted(places.stream().map(Place::id).toList(), LATEST_PLANNED_FIRST),
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

  private static String filter(Search search, Map<String, Object> values) {
    StringBuilder filter = new StringBuilder();
    if (search.nodeGroup() != null) {
      values.put("nodeGroup", search.nodeGroup());
      filter.append(" AND node_group = :nodeGroup");
    }
    if (search.status() != null) {
      values.put("status", search.status().name());
      filter.append(" AND status = :status");
    }
    if (search.workerId() != null) {
      values.put("workerId", search.workerId());
      filter.append(" AND worker_id = :workerId");
    }
    return filter.toString();
  }

  private List<LedgerEntry> sorted(List<Long> ids, Comparator<LedgerEntry> order) {
    return ids.isEmpty() ? List.of() : find.apply(ids).stream().sorted(order).toList();
  }
}
