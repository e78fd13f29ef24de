package io.millrace.jobtracker.store.jdbc.count;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.ListCounts;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.DeadSearch;
import io.millrace.jobtracker.store.jdbc.row.JobSearch;
import io.millrace.jobtracker.store.jdbc.row.LedgerSearch;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts rows within ranges of indexes. */
public final class JdbcListCounts implements ListCounts {
  /** All columns of a unique key: H2 would sort otherwise. */
  private static final String BY_TRIGGER = " ORDER BY node_group, task_id, planned_at, ordinal";

  private final Database database;
  private final DeadSearch dead;

  public JdbcListCounts(Database database) {
    this.database = database;
    this.dead = new DeadSearch(database);
  }

  /**
   * Counts rows of a range.
   *
   * @param filter conditions that begin with AND; they are computed for the rows of the range only
   * @param range FROM, WHERE and ORDER BY
   */
  private Count count(String what, String filter, String range, Map<String, ?> values, int lookAt) {
    String matches = filter.isEmpty() ? "1" : "CASE WHEN 1 = 1" + filter + " THEN 1 ELSE 0 END";
    String sql =
        """
        SELECT COUNT(*) AS looked_at, COALESCE(SUM(matching), 0) AS found FROM (
          SELECT %s AS matching %s LIMIT :most) AS looked"""
            .formatted(matches, range);
    return database.call(
        "count " + what,
        () ->
            database
                .sql(sql)
                .params(values)
                .param("most", lookAt + 1)
                .query(
                    (row, number) ->
                        new Count(
                            Math.min(lookAt, row.getInt("found")),
                            row.getInt("looked_at") > lookAt))
                .single());
  }

  @Override
  public Count jobs(JobStore.Search search, int lookAt) {
    Map<String, Object> values = new HashMap<>();
    String filter = JobSearch.filter(search, values) + prefixFilter(search.prefix(), values);
    String ofGroup = "";
    if (search.nodeGroup() != null) {
      values.put("nodeGroup", search.nodeGroup());
      ofGroup = " WHERE node_group = :nodeGroup";
    }
    String range = "FROM jt_job" + ofGroup + " ORDER BY node_group, task_id";
    return count("jobs", filter, range, values, lookAt);
  }

  private static String prefixFilter(@Nullable String prefix, Map<String, Object> values) {
    if (prefix == null) {
      return "";
    }
    values.put("prefix", prefix);
    return " AND LEFT(task_id, CHAR_LENGTH(:prefix)) = :prefix";
  }

  @Override
  public Count waiting(String nodeGroup, int lookAt) {
    String range = "FROM " + WaitingTableName.of(nodeGroup);
    return count("what waits in node group " + nodeGroup, "", range, Map.of(), lookAt);
  }

  @Override
  public Count oneShots(
      String nodeGroup, @Nullable String prefix, @Nullable String handler, int lookAt) {
    Map<String, Object> values = new HashMap<>();
    String filter = " AND planned_at = 0 AND ordinal = 0";
    if (handler != null) {
      values.put("handler", JobSearch.handlerInSpec(handler));
      filter += " AND LOCATE(:handler, spec) > 0";
    }
    String range =
        "FROM "
            + WaitingTableName.of(nodeGroup)
            + " WHERE "
            + rangeOf(prefix, values)
            + " ORDER BY task_id, planned_at, ordinal";
    return count("one-shots that wait in node group " + nodeGroup, filter, range, values, lookAt);
  }

  private static String rangeOf(@Nullable String prefix, Map<String, Object> values) {
    values.put("prefix", prefix == null ? "" : prefix);
    String beyond = prefix == null ? null : JobSearch.beyond(prefix);
    if (beyond == null) {
      return "task_id >= :prefix";
    }
    values.put("beyond", beyond);
    return "task_id >= :prefix AND task_id < :beyond";
  }

  @Override
  public Count running(Running search, int lookAt) {
    Map<String, Object> values = new HashMap<>();
    String ofTask = "";
    if (search.nodeGroup() != null) {
      values.put("nodeGroup", search.nodeGroup());
      ofTask = " WHERE node_group = :nodeGroup";
    }
    if (search.taskId() != null) {
      values.put("taskId", search.taskId());
      ofTask += " AND task_id = :taskId";
    }
    if (search.workerId() != null) {
      values.put("workerId", search.workerId());
      String filter = ofTask.replace(" WHERE ", " AND ") + " AND worker_id = :workerId";
      return count("executions", filter, "FROM jt_executing", values, lookAt);
    }
    Count executing =
        count("executions", "", "FROM jt_executing" + ofTask + BY_TRIGGER, values, lookAt);
    if (executing.isCut() || executing.found() == lookAt) {
      return executing;
    }
    String isUnderWay = " AND state <> 'STAGED'";
    String range = "FROM jt_batch" + ofTask + BY_TRIGGER;
    Count split = count("batches", isUnderWay, range, values, lookAt - executing.found());
    return new Count(executing.found() + split.found(), split.isCut());
  }

  @Override
  public Count ledger(LedgerStore.Search search, int lookAt) {
    Map<String, Object> values = spanOf(search);
    String range =
        "FROM jt_history %s WHERE id < :belowId AND id >= :fromId ORDER BY id DESC"
            .formatted(database.dialect().keyIndexHint());
    return count("rows of the ledger", LedgerSearch.filter(search, values), range, values, lookAt);
  }

  @Override
  public Count ledgerOf(long jobId, LedgerStore.Search search, int lookAt) {
    Map<String, Object> values = spanOf(search);
    values.put("jobId", jobId);
    return count(
        "rows of the ledger of job " + jobId,
        " AND id < :belowId AND id >= :fromId" + LedgerSearch.filter(search, values),
        "FROM jt_history WHERE job_id = :jobId ORDER BY job_id DESC, planned_for DESC, id DESC",
        values,
        lookAt);
  }

  private static Map<String, Object> spanOf(LedgerStore.Search search) {
    return new HashMap<>(Map.of("belowId", search.belowId(), "fromId", search.fromId()));
  }

  /** Each state is a separate range of the index. */
  @Override
  public Count dead(DeadStore.Query query, int lookAt) {
    List<DeadState> states =
        query.state() == null ? Arrays.asList(DeadState.values()) : List.of(query.state());
    return database.call(
        "count dead triggers",
        () -> {
          int found = 0;
          int left = lookAt;
          for (DeadState state : states) {
            int looked = dead.count(range(query, null, state), left + 1);
            found += Math.min(left, dead.count(range(query, query.taskPrefix(), state), left + 1));
            if (looked > left) {
              return new Count(found, true);
            }
            left -= looked;
          }
          return new Count(found, false);
        });
  }

  private static DeadSearch.Range range(
      DeadStore.Query query, @Nullable String taskPrefix, DeadState state) {
    DeadStore.Query ofState =
        new DeadStore.Query(
            query.nodeGroup(), taskPrefix, state, query.diedFrom(), query.diedBefore());
    return new DeadSearch.Range(ofState, state, DeadStore.Order.NEWEST_FIRST, null);
  }
}
