package io.millrace.jobtracker.store.jdbc.kept;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.kept.KeptStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_kept}, and the column {@code kept_seq} of {@code jt_executing}. */
public final class JdbcKeptStore implements KeptStore {
  private static final String CHECKPOINT = "#checkpoint";
  private static final String ORIGIN = "#origin";

  /** Its steps, its last checkpoint, and the key of the run that it replays. */
  private static final int MOST_ROWS_OF_A_RUN = KeepRequest.MAX_STEPS + 2;

  private static final String OF_RUN =
      " WHERE job_id = :jobId AND planned_at = :plannedAt AND ordinal = :ordinal";
  private static final List<String> KEY = List.of("job_id", "planned_at", "ordinal", "name");
  private static final RowColumns<Row> COLUMNS =
      RowColumns.<Row>of()
          .number("job_id", row -> row.owner().run().jobId())
          .number("planned_at", row -> row.owner().run().plannedAt())
          .number("ordinal", row -> row.owner().run().ordinal())
          .text("name", Row::name)
          .name("kind", Row::kind)
          .text("content", Row::content)
          .number("bytes", row -> KeepRequest.bytesOf(row.content()))
          .number("kept_at", row -> row.owner().lastAt())
          .number("execution_id", Row::executionId)
          .text("node_group", row -> row.owner().nodeGroup())
          .text("task_id", row -> row.owner().taskId())
          .number("planned_for", row -> row.owner().plannedFor());

  private record Row(
      KeptRun owner, String name, Kind kind, @Nullable String content, long executionId) {}

  /** What a run keeps, without the row that is written; faults have no bytes here. */
  private record Totals(int steps, long bytes, boolean hasStep) {}

  private final Database database;
  private final RowInsert<Row> upsert;

  public JdbcKeptStore(Database database) {
    this.database = database;
    this.upsert =
        RowInsert.upsert(database.dialect(), "jt_kept", COLUMNS, KEY, COLUMNS.setsBut(KEY));
  }

  /**
   * The update of the executing row waits for a transaction that ends the execution, and then finds
   * no row. Nothing is decided by a read before it.
   */
  @Override
  public KeepStatus write(String workerId, KeepRequest request, long at) {
    if (request.isTooLarge()) {
      return KeepStatus.TOO_LARGE;
    }
    String what = "keep a value of execution " + request.executionId();
    return database.call(
        what,
        () ->
            advance(what, workerId, request.executionId(), request.seq() - 1, request.seq())
                ? writeNext(what, workerId, request, at)
                : answerAgain(what, workerId, request));
  }

  private boolean advance(String what, String workerId, long id, long before, long after) {
    return database.updateOne(
        what,
        """
        UPDATE jt_executing SET kept_seq = :after
        WHERE id = :id AND worker_id = :workerId AND kept_seq = :before""",
        Map.of("id", id, "workerId", workerId, "before", before, "after", after));
  }

  private KeepStatus answerAgain(String what, String workerId, KeepRequest request) {
    long stored =
        database
            .find(
                what,
                "SELECT kept_seq FROM jt_executing WHERE id = :id AND worker_id = :workerId",
                Map.of("id", request.executionId(), "workerId", workerId),
                Long.class)
            .orElse(-1L);
    if (stored < 0) {
      return KeepStatus.LOST;
    }
    return stored >= request.seq() ? KeepStatus.KEPT : KeepStatus.CONFLICT;
  }

  private KeepStatus writeNext(String what, String workerId, KeepRequest request, long at) {
    Row row = row(owner(what, request.executionId(), at), request);
    KeepStatus status = statusOf(row, totals(what, row));
    if (status == KeepStatus.KEPT) {
      database.insert(what, upsert, List.of(row));
    } else {
      advance(what, workerId, request.executionId(), request.seq(), request.seq() - 1);
    }
    return status;
  }

  private KeptRun owner(String what, long executionId, long at) {
    return database
        .find(
            what,
            """
            SELECT job_id, planned_at, ordinal, node_group, task_id, planned_for, %d AS last_at
            FROM jt_executing WHERE id = :id"""
                .formatted(at),
            Map.of("id", executionId),
            JdbcKeptStore::readRun)
        .orElseThrow();
  }

  private static Row row(KeptRun owner, KeepRequest request) {
    return request.kind() == KeptKind.CHECKPOINT
        ? new Row(owner, CHECKPOINT, Kind.CHECKPOINT, request.value(), request.executionId())
        : new Row(
            owner,
            Objects.requireNonNull(request.name(), "a step has a name"),
            request.kind() == KeptKind.FAULT ? Kind.FAULT : Kind.STEP,
            request.value(),
            request.executionId());
  }

  private static KeepStatus statusOf(Row row, Totals others) {
    boolean isStep = row.kind() != Kind.CHECKPOINT;
    if (isStep && others.hasStep()) {
      return KeepStatus.CONFLICT;
    }
    if (isStep && others.steps() >= KeepRequest.MAX_STEPS) {
      return KeepStatus.TOO_MANY;
    }
    return row.kind() != Kind.FAULT
            && others.bytes() + KeepRequest.bytesOf(row.content()) > KeepRequest.MAX_RUN_BYTES
        ? KeepStatus.TOO_LARGE
        : KeepStatus.KEPT;
  }

  private Totals totals(String what, Row row) {
    Map<String, Object> values = new HashMap<>(values(row.owner().run()));
    values.put("name", row.name());
    return database
        .find(
            what,
            """
            SELECT COUNT(CASE WHEN kind IN ('STEP', 'FAULT') THEN 1 END) AS steps,
              COALESCE(SUM(CASE WHEN name <> :name AND kind IN ('STEP', 'CHECKPOINT')
                THEN bytes END), 0) AS bytes,
              COUNT(CASE WHEN name = :name THEN 1 END) AS same
            FROM jt_kept"""
                + OF_RUN,
            values,
            (found, number) ->
                new Totals(found.getInt("steps"), found.getLong("bytes"), found.getInt("same") > 0))
        .orElseThrow();
  }

  @Override
  public List<Kept> read(Run run) {
    return database.list(
        "read what " + run + " keeps",
        "SELECT kind, name, content, kept_at FROM jt_kept" + OF_RUN,
        values(run),
        JdbcKeptStore::readKept);
  }

  @Override
  public List<Kept> list(Run run) {
    return database.list(
        "list what " + run + " keeps",
        "SELECT kind, name, NULL AS content, kept_at FROM jt_kept"
            + OF_RUN
            + " ORDER BY kept_at, name",
        values(run),
        JdbcKeptStore::readKept);
  }

  @Override
  public void replayed(String nodeGroup, TriggerRecord dead, TriggerRecord replay, long now) {
    Run to = Run.of(replay);
    String what = "hand what a dead trigger kept to " + to;
    Map<String, Object> values = new HashMap<>(values(Run.of(dead)));
    values.put("toJob", to.jobId());
    values.put("toPlannedAt", to.plannedAt());
    values.put("toOrdinal", to.ordinal());
    String move =
        "UPDATE jt_kept SET job_id = :toJob, planned_at = :toPlannedAt, ordinal = :toOrdinal"
            + OF_RUN;
    database.run(
        what,
        () -> {
          int unused = database.update(what, move, values);
          if (list(to).stream().noneMatch(kept -> kept.kind() == Kind.ORIGIN)) {
            KeptRun owner =
                new KeptRun(to, nodeGroup, replay.key().taskId(), replay.plannedFor(), now);
            String key = Run.keyOf(nodeGroup, dead);
            database.insert(what, upsert, List.of(new Row(owner, ORIGIN, Kind.ORIGIN, key, 0)));
          }
        });
  }

  @Override
  public int delete(Collection<Run> runs) {
    String what = "delete what " + runs.size() + " runs kept";
    return database.call(
        what,
        () ->
            runs.stream()
                .mapToInt(run -> database.update(what, "DELETE FROM jt_kept" + OF_RUN, values(run)))
                .sum());
  }

  /**
   * Reads rows in the order of the index and groups them here: H2 would group all that follow. Of a
   * full page, the last run may have further rows and is read again.
   */
  @Override
  public List<KeptRun> runs(Run behind, int limit) {
    List<KeptRun> found = new ArrayList<>();
    Run last = behind;
    boolean mayHaveMore = true;
    while (mayHaveMore && found.size() < limit) {
      int most = limit - found.size() + MOST_ROWS_OF_A_RUN;
      List<KeptRun> rows = rowsBehind(last, most);
      List<KeptRun> page = grouped(rows);
      mayHaveMore = rows.size() == most && page.size() > 1;
      found.addAll(mayHaveMore ? page.subList(0, page.size() - 1) : page);
      last = found.isEmpty() ? last : found.get(found.size() - 1).run();
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  /** The first condition uses the index; the others remove few rows. */
  private List<KeptRun> rowsBehind(Run behind, int limit) {
    Map<String, Object> values = new HashMap<>(values(behind));
    values.put("limit", limit);
    return database.list(
        "list runs that keep something",
        """
        SELECT job_id, planned_at, ordinal, node_group, task_id, planned_for, kept_at AS last_at
        FROM jt_kept
        WHERE job_id >= :jobId AND (job_id > :jobId OR planned_at > :plannedAt
          OR (planned_at = :plannedAt AND ordinal > :ordinal))
        ORDER BY job_id, planned_at, ordinal
        LIMIT :limit""",
        values,
        JdbcKeptStore::readRun);
  }

  /** Makes one of the rows of each run; rows of a run follow one another. */
  private static List<KeptRun> grouped(List<KeptRun> rows) {
    Map<Run, KeptRun> runs = new LinkedHashMap<>();
    rows.forEach(row -> runs.merge(row.run(), row, JdbcKeptStore::later));
    return List.copyOf(runs.values());
  }

  private static KeptRun later(KeptRun one, KeptRun other) {
    return one.lastAt() >= other.lastAt() ? one : other;
  }

  private static Map<String, Object> values(Run run) {
    return Map.of("jobId", run.jobId(), "plannedAt", run.plannedAt(), "ordinal", run.ordinal());
  }

  private static KeptRun readRun(ResultSet row, int number) throws SQLException {
    return new KeptRun(
        new Run(row.getLong("job_id"), row.getLong("planned_at"), row.getInt("ordinal")),
        row.getString("node_group"),
        row.getString("task_id"),
        row.getLong("planned_for"),
        row.getLong("last_at"));
  }

  private static Kept readKept(ResultSet row, int number) throws SQLException {
    return new Kept(
        Kind.valueOf(row.getString("kind")),
        row.getString("name"),
        row.getString("content"),
        row.getLong("kept_at"));
  }
}
