package io.millrace.jobtracker.store.jdbc.count;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.ListCounts;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.count.Steps.Step;
import io.millrace.jobtracker.store.jdbc.row.DeadSearch;
import io.millrace.jobtracker.store.jdbc.row.JobSearch;
import io.millrace.jobtracker.store.jdbc.row.LedgerSearch;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.jobtracker.store.order.Direction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts rows within ranges of indexes. */
public final class JdbcListCounts implements ListCounts {
  /** All columns of a unique key: H2 would sort otherwise. */
  private static final String BY_TRIGGER = " ORDER BY node_group, task_id, planned_at, ordinal";

  /** Behind all rows, for a step whose last row was deleted before its place was read. */
  private static final LedgerStore.Place END_OF_JOB =
      new LedgerStore.Place(Long.MIN_VALUE, Long.MIN_VALUE);

  private static final DeadStore.Place END_OF_DEAD =
      new DeadStore.Place(Long.MIN_VALUE, Long.MIN_VALUE);

  private final Database database;
  private final DeadSearch dead;

  public JdbcListCounts(Database database) {
    this.database = database;
    this.dead = new DeadSearch(database);
  }

  /**
   * Rows in the order of a key.
   *
   * @param what what they are; for messages
   * @param key the column that tells where a step ends
   * @param last the aggregate of that column over the rows of a step, such as MAX
   * @param from FROM, WHERE and ORDER BY
   */
  private record Rows(String what, String key, String last, String from) {}

  /** Reads the place where a step ended from the result of its statement. */
  private interface LastReader<P> {
    P read(ResultSet row, String column) throws SQLException;
  }

  /**
   * Reads one step.
   *
   * @param filter conditions that begin with AND; they are computed for the rows of the step only
   */
  private <P> Step<P> step(
      Rows rows, String filter, Map<String, ?> values, int most, LastReader<P> last) {
    String matches = filter.isEmpty() ? "1" : "CASE WHEN 1 = 1" + filter + " THEN 1 ELSE 0 END";
    String sql =
        """
        SELECT COUNT(*) AS examined, COALESCE(SUM(matching), 0) AS found, %s(place) AS last_place
        FROM (SELECT %s AS matching, %s AS place %s LIMIT :most) AS step"""
            .formatted(rows.last(), matches, rows.key(), rows.from());
    return database.call(
        "count " + rows.what(),
        () ->
            database
                .sql(sql)
                .params(values)
                .param("most", most)
                .query(
                    (row, number) ->
                        new Step<>(
                            row.getInt("examined"),
                            row.getInt("found"),
                            last.read(row, "last_place")))
                .single());
  }

  private static Map<String, Object> at(Map<String, Object> values, String name, Object place) {
    Map<String, Object> all = new HashMap<>(values);
    all.put(name, place);
    return all;
  }

  private Count byId(Rows rows, String filter, Map<String, Object> values, Bound bound) {
    return Steps.count(
        Long.MIN_VALUE,
        bound,
        (above, most) -> step(rows, filter, at(values, "above", above), most, ResultSet::getLong));
  }

  private Count byTask(Rows rows, String filter, Map<String, Object> values, Bound bound) {
    return Steps.count(
        "",
        bound,
        (above, most) ->
            step(rows, filter, at(values, "above", above), most, ResultSet::getString));
  }

  @Override
  public Count jobs(JobStore.Search search, Bound bound) {
    Map<String, Object> values = new HashMap<>();
    String filter = JobSearch.filter(search, values) + prefixFilter(search.prefix(), values);
    if (search.nodeGroup() == null) {
      String all =
          "FROM jt_job %s WHERE id > :above ORDER BY id"
              .formatted(database.dialect().keyIndexHint());
      return byId(new Rows("jobs", "id", "MAX", all), filter, values, bound);
    }
    values.put("nodeGroup", search.nodeGroup());
    String ofGroup =
        """
        FROM jt_job WHERE node_group = :nodeGroup AND task_id > :above
        ORDER BY node_group, task_id""";
    return byTask(new Rows("jobs", "task_id", "MAX", ofGroup), filter, values, bound);
  }

  private static String prefixFilter(@Nullable String prefix, Map<String, Object> values) {
    if (prefix == null) {
      return "";
    }
    values.put("prefix", prefix);
    return " AND LEFT(task_id, CHAR_LENGTH(:prefix)) = :prefix";
  }

  @Override
  public Count waiting(String nodeGroup, Bound bound) {
    String from =
        "FROM %s %s WHERE id > :above ORDER BY id"
            .formatted(WaitingTableName.of(nodeGroup), database.dialect().keyIndexHint());
    Rows rows = new Rows("what waits in node group " + nodeGroup, "id", "MAX", from);
    return byId(rows, "", Map.of(), bound);
  }

  /** A one-shot is the first row of its task id, so a step that goes on behind it misses none. */
  @Override
  public Count oneShots(
      String nodeGroup, @Nullable String prefix, @Nullable String handler, Bound bound) {
    Map<String, Object> values = new HashMap<>();
    String filter = " AND planned_at = 0 AND ordinal = 0";
    if (handler != null) {
      values.put("handler", JobSearch.handlerInSpec(handler));
      filter += " AND LOCATE(:handler, spec) > 0";
    }
    String from =
        "FROM %s WHERE task_id > :above%s ORDER BY task_id, planned_at, ordinal"
            .formatted(
                WaitingTableName.of(nodeGroup),
                JobSearch.rangeOfTasks(Direction.ASCENDING, null, prefix, values));
    Rows rows = new Rows("one-shots that wait in node group " + nodeGroup, "task_id", "MAX", from);
    return byTask(rows, filter, values, bound);
  }

  /** Workers have a limited number of slots, so one step reads all of what is under way. */
  @Override
  public Count running(Running search, Bound bound) {
    Bound atOnce = new Bound(bound.rows(), Integer.MAX_VALUE, bound.goesOn());
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
      return byId(new Rows("executions", "id", "MAX", "FROM jt_executing"), filter, values, atOnce);
    }
    Rows executions =
        new Rows("executions", "id", "MAX", "FROM jt_executing" + ofTask + BY_TRIGGER);
    Count executing = byId(executions, "", values, atOnce);
    if (executing.isCut()) {
      return executing;
    }
    Rows batches = new Rows("batches", "id", "MAX", "FROM jt_batch" + ofTask + BY_TRIGGER);
    String isUnderWay = " AND state <> 'STAGED'";
    return executing.plus(byId(batches, isUnderWay, values, atOnce.behind(executing.examined())));
  }

  @Override
  public Count ledger(LedgerStore.Search search, Bound bound) {
    Map<String, Object> values = spanOf(search);
    String filter = LedgerSearch.filter(search, values);
    String from =
        "FROM jt_history %s WHERE id < :belowId AND id >= :fromId ORDER BY id DESC"
            .formatted(database.dialect().keyIndexHint());
    Rows rows = new Rows("rows of the ledger", "id", "MIN", from);
    return Steps.count(
        search.belowId(),
        bound,
        (below, most) ->
            step(rows, filter, at(values, "belowId", below), most, ResultSet::getLong));
  }

  @Override
  public Count ledgerOf(long jobId, LedgerStore.Search search, Bound bound) {
    Map<String, Object> values = spanOf(search);
    values.put("jobId", jobId);
    String filter = " AND id < :belowId AND id >= :fromId" + LedgerSearch.filter(search, values);
    return Steps.count(
        LedgerStore.Place.START,
        bound,
        (behind, most) -> stepOfJob(jobId, filter, values, behind, most));
  }

  private Step<LedgerStore.Place> stepOfJob(
      long jobId, String filter, Map<String, Object> values, LedgerStore.Place behind, int most) {
    Map<String, Object> all = at(values, "plannedFor", behind.plannedFor());
    all.put("id", behind.id());
    Rows rows =
        new Rows(
            "rows of the ledger of job " + jobId,
            "id",
            "MIN",
            """
            FROM jt_history
            WHERE job_id = :jobId AND planned_for <= :plannedFor
              AND (planned_for < :plannedFor OR id < :id)
            ORDER BY job_id DESC, planned_for DESC, id DESC""");
    Step<Long> step = step(rows, filter, all, most, ResultSet::getLong);
    return new Step<>(
        step.examined(),
        step.found(),
        step.examined() < most ? behind : lastOfJob(rows, all, most));
  }

  private LedgerStore.Place lastOfJob(Rows rows, Map<String, Object> values, int most) {
    return database
        .find(
            "count " + rows.what(),
            "SELECT planned_for, id " + rows.from() + " LIMIT 1 OFFSET " + (most - 1),
            values,
            (row, number) -> new LedgerStore.Place(row.getLong("planned_for"), row.getLong("id")))
        .orElse(END_OF_JOB);
  }

  private static Map<String, Object> spanOf(LedgerStore.Search search) {
    return new HashMap<>(Map.of("belowId", search.belowId(), "fromId", search.fromId()));
  }

  /** Each state is a separate range of the index. */
  @Override
  public Count dead(DeadStore.Query query, Bound bound) {
    List<DeadState> states =
        query.state() == null ? Arrays.asList(DeadState.values()) : List.of(query.state());
    Count all = new Count(0, 0, false);
    for (DeadState state : states) {
      all = all.plus(deadIn(state, query, bound.behind(all.examined())));
      if (all.isCut()) {
        return all;
      }
    }
    return all;
  }

  private Count deadIn(DeadState state, DeadStore.Query query, Bound bound) {
    return Steps.count(
        Optional.<DeadStore.Place>empty(),
        bound,
        (behind, most) ->
            database.call("count dead triggers", () -> stepOfDead(state, query, behind, most)));
  }

  private Step<Optional<DeadStore.Place>> stepOfDead(
      DeadState state, DeadStore.Query query, Optional<DeadStore.Place> behind, int most) {
    DeadSearch.Range range =
        new DeadSearch.Range(query, state, AgeOrder.NEWEST_FIRST, behind.orElse(null));
    DeadSearch.Counted counted = dead.count(range, most);
    return new Step<>(
        counted.examined(),
        counted.found(),
        counted.examined() < most
            ? behind
            : Optional.of(dead.placeOf(range, most).orElse(END_OF_DEAD)));
  }
}
