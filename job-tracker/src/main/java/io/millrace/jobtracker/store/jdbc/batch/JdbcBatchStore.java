package io.millrace.jobtracker.store.jdbc.batch;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.BatchRowMapper;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_batch}; what is staged is written by {@link StagedParts}. */
public final class JdbcBatchStore implements BatchStore {
  static final RowInsert<Batch> INSERT =
      RowInsert.into("jt_batch", BatchRowMapper.COLUMNS, batch -> batch.run().params().bytes());

  private static final String LOCKED =
      "id, node_group, state, on_part_failure, total, released, succeeded, failed, dead,"
          + " cancelled, skipped, replaced, reduce_state, parent_id, root_id, depth, bytes";
  private static final String UNDER_WAY = "state <> 'STAGED'";
  private static final String ENDED = "succeeded + failed + dead + cancelled + skipped";

  private final Database database;
  private final RowsById byId;
  private final StagedParts staged;

  public JdbcBatchStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_batch");
    this.staged = new StagedParts(database);
  }

  @Override
  public void insert(List<Batch> batches) {
    database.insert("insert " + batches.size() + " batches", INSERT, batches);
  }

  /** The workers of a broadcast, as they are stored. */
  record Bound(List<BoundTo> workers) {}

  @Override
  public void bind(long id, List<BoundTo> workers) {
    int unused =
        database.update(
            "bind batch " + id + " to " + workers.size() + " workers",
            "UPDATE jt_batch SET bound_to = :workers WHERE id = :id",
            Map.of("id", id, "workers", Columns.json(new Bound(workers))));
  }

  @Override
  public List<BoundTo> workersOf(long id) {
    return database
        .find(
            "read the workers of batch " + id,
            "SELECT bound_to FROM jt_batch WHERE id = :id AND bound_to IS NOT NULL",
            Map.of("id", id),
            (row, number) -> Columns.readJson(row, "bound_to", Bound.class).workers())
        .orElse(List.of());
  }

  @Override
  public Map<Long, LockedBatch> lock(Collection<Long> ids) {
    String what = "lock " + ids.size() + " batches";
    String write = "UPDATE jt_batch SET write_seq = write_seq + 1 WHERE id IN (:ids)";
    return database.call(
        what,
        () -> {
          database.updateByIds(what, write, ids, Map.of());
          return look(ids);
        });
  }

  @Override
  public Map<Long, LockedBatch> look(Collection<Long> ids) {
    return LockedBatch.byId(byId.find(ids, LOCKED, JdbcBatchStore::readLocked));
  }

  private static LockedBatch readLocked(ResultSet row, int rowNumber) throws SQLException {
    return new LockedBatch(
        row.getLong("id"),
        row.getString("node_group"),
        BatchState.valueOf(row.getString("state")),
        BatchRowMapper.readCounts(row),
        PartFailurePolicy.valueOf(row.getString("on_part_failure")),
        ReduceState.valueOf(row.getString("reduce_state")),
        BatchRowMapper.readAncestry(row),
        row.getLong("bytes"));
  }

  /** The first assignment reads the counts as they were, in whatever order the others are made. */
  @Override
  public void countEnds(Map<Long, PartEnds> ends) {
    String what = "count ends of parts of " + ends.size() + " batches";
    String sql =
        """
        UPDATE jt_batch
        SET all_ended = CASE WHEN %s + :ended = total THEN TRUE ELSE FALSE END,
          reduce_state = CASE WHEN reduce_state = 'RELEASED' THEN :reduce ELSE reduce_state END,
          succeeded = succeeded + :succeeded, failed = failed + :failed, dead = dead + :dead,
          cancelled = cancelled + :cancelled, skipped = skipped + :skipped
        WHERE id = :id"""
            .formatted(ENDED);
    database.run(
        what,
        () -> new TreeMap<>(ends).forEach((id, some) -> database.update(what, sql, of(id, some))));
  }

  private static Map<String, ?> of(long id, PartEnds ends) {
    return Map.of(
        "id", id,
        "reduce", ReduceState.after(ends).name(),
        "ended", ends.total(),
        "succeeded", ends.succeeded(),
        "failed", ends.failed(),
        "dead", ends.dead(),
        "cancelled", ends.cancelled(),
        "skipped", ends.skipped());
  }

  @Override
  public void addBytes(Map<Long, Long> bytes) {
    String what = "add bytes of parts of " + bytes.size() + " batches";
    String sql = "UPDATE jt_batch SET bytes = bytes + :bytes WHERE id = :id";
    database.run(
        what,
        () ->
            new TreeMap<>(bytes)
                .forEach(
                    (id, more) -> {
                      int unused = database.update(what, sql, Map.of("id", id, "bytes", more));
                    }));
  }

  @Override
  public boolean release(long id, int releasedBefore, int releasedNow) {
    return database.updateOne(
        "release parts of batch " + id,
        """
        UPDATE jt_batch SET released = :now
        WHERE id = :id AND state = 'OPEN' AND released = :before AND total >= :now""",
        Map.of("id", id, "before", releasedBefore, "now", releasedNow));
  }

  /** Of a row, MySQL makes assignments in their order: each reads what is assigned after it. */
  @Override
  public int stop(Collection<Long> ids, BatchStop why, String by) {
    String sql =
        """
        UPDATE jt_batch
        SET all_ended = CASE WHEN %s = released THEN TRUE ELSE FALSE END,
          cancelled = cancelled + total - released, released = total,
          state = 'STOPPING', stop_reason = :why, stop_requested = TRUE,
          terminated_by = COALESCE(terminated_by, CASE WHEN :by = '' THEN NULL ELSE :by END)
        WHERE id IN (:ids) AND state = 'OPEN'"""
            .formatted(ENDED);
    return database.updateByIds(
        "stop " + ids.size() + " batches", sql, ids, Map.of("why", why.name(), "by", by));
  }

  @Override
  public int terminate(Collection<Long> ids, String by) {
    return database.updateByIds(
        "terminate " + ids.size() + " batches",
        """
        UPDATE jt_batch SET terminated_by = COALESCE(terminated_by, :by)
        WHERE id IN (:ids) AND state = 'STOPPING'""",
        ids,
        Map.of("by", by));
  }

  @Override
  public void correct(long id, PartCounts counts) {
    String sql =
        """
        UPDATE jt_batch
        SET released = :released, succeeded = :succeeded, failed = :failed, dead = :dead,
          cancelled = :cancelled, skipped = :skipped, all_ended = :allEnded
        WHERE id = :id""";
    Map<String, Object> values = new HashMap<>(of(id, counts.ended()));
    values.remove("reduce");
    values.put("released", counts.released());
    values.put("allEnded", counts.isAllEnded());
    int unused = database.update("correct the counts of batch " + id, sql, values);
  }

  @Override
  public boolean releaseReduce(long id) {
    return database.updateOne(
        "release the reduce of batch " + id,
        """
        UPDATE jt_batch
        SET total = total + 1, released = released + 1, reduce_state = 'RELEASED', all_ended = FALSE
        WHERE id = :id AND state = 'OPEN' AND reduce_state = 'TO_COME' AND all_ended = TRUE""",
        Map.of("id", id));
  }

  @Override
  public boolean addReplay(long id, int totalBefore) {
    return database.updateOne(
        "add a replay to batch " + id,
        """
        UPDATE jt_batch SET total = total + 1, replaced = replaced + 1, all_ended = FALSE
        WHERE id = :id AND state = 'OPEN' AND total = :total AND reduce_state IN ('NONE', 'TO_COME')""",
        Map.of("id", id, "total", totalBefore));
  }

  @Override
  public boolean deleteEnded(long id) {
    return database.updateOne(
        "end batch " + id,
        "DELETE FROM jt_batch WHERE id = :id AND all_ended = TRUE AND " + UNDER_WAY,
        Map.of("id", id));
  }

  @Override
  public Staged stage(
      String workerId, long executionId, int first, List<PartDraft> parts, @Nullable Lane lane) {
    return staged.stage(workerId, executionId, first, parts, lane);
  }

  @Override
  public boolean open(Execution run, int total, long now) {
    String sql =
        """
        UPDATE jt_batch SET state = 'OPEN', opened_at = :now, deadline = :deadline, counted = :counted
        WHERE id = :id AND state = 'STAGED' AND total = :total""";
    var values =
        new MapSqlParameterSource(
                Map.of("id", run.id(), "total", total, "now", now, "counted", run.counted()))
            .addValue("deadline", Batch.deadlineOf(run, now));
    return database.update("open batch " + run.id(), sql, values) == 1;
  }

  @Override
  public List<Long> findLeftStaged(String nodeGroup, long aboveId, int limit) {
    return database.list(
        "find what was staged for nothing in node group " + nodeGroup,
        """
        SELECT id FROM jt_batch %s
        WHERE node_group = :nodeGroup AND all_ended = FALSE AND id > :aboveId
          AND state = 'STAGED'
          AND NOT EXISTS (SELECT 1 FROM jt_executing AS executing WHERE executing.id = jt_batch.id)
        ORDER BY node_group, all_ended, id
        LIMIT :limit"""
            .formatted(database.dialect().indexHint("ix_batch_ended")),
        Map.of("nodeGroup", nodeGroup, "aboveId", aboveId, "limit", limit),
        Long.class);
  }

  @Override
  public boolean deleteStaged(long id) {
    return staged.delete(id);
  }

  @Override
  public List<Batch> find(Collection<Long> ids) {
    return byId.find(ids, BatchRowMapper.COLUMNS.list(), BatchRowMapper::read);
  }

  @Override
  public List<Batch> findUnderWay(String nodeGroup, long aboveId, int limit) {
    return database.list(
        "find batches of node group " + nodeGroup,
        """
        SELECT %s FROM jt_batch
        WHERE node_group = :nodeGroup AND id > :aboveId AND %s
        ORDER BY id
        LIMIT :limit"""
            .formatted(BatchRowMapper.COLUMNS.listInlined(), UNDER_WAY),
        Map.of("nodeGroup", nodeGroup, "aboveId", aboveId, "limit", limit),
        BatchRowMapper::read);
  }

  @Override
  public boolean hasAny(String nodeGroup) {
    String sql = "SELECT id FROM jt_batch %s WHERE node_group = :group LIMIT 1";
    sql = sql.formatted(database.dialect().indexHint("ix_batch_ended"));
    return database.find("find a batch", sql, Map.of("group", nodeGroup), Long.class).isPresent();
  }

  @Override
  public List<Long> findByTask(String nodeGroup, String taskId) {
    return database
        .list(
            "find batches of " + nodeGroup + "/" + taskId,
            "SELECT id FROM jt_batch WHERE node_group = :nodeGroup AND task_id = :taskId AND "
                + UNDER_WAY,
            Map.of("nodeGroup", nodeGroup, "taskId", taskId),
            Long.class)
        .stream()
        .sorted()
        .toList();
  }

  @Override
  public List<Long> findAllEnded(String nodeGroup, long aboveId, int limit) {
    return findIds("that have ended", nodeGroup, "TRUE", UNDER_WAY, aboveId, limit, 0);
  }

  @Override
  public List<Long> findToRelease(String nodeGroup, long aboveId, int window, int limit) {
    String lacksParts =
        "state = 'OPEN' AND released < total AND %d * (:number - (released - (%s))) > :number"
            .formatted(ReleaseWindow.REFILLED_SHARE, ENDED);
    return findIds("with parts to release", nodeGroup, "FALSE", lacksParts, aboveId, limit, window);
  }

  @Override
  public List<Long> findToStop(String nodeGroup, long aboveId, long now, int limit) {
    String isToStop =
        """
        state = 'OPEN' AND (deadline <= :number
          OR (on_part_failure = 'STOP' AND failed + dead + cancelled > replaced))""";
    return findIds("to be stopped", nodeGroup, "FALSE", isToStop, aboveId, limit, now);
  }

  @Override
  public int countLive(long rootId) {
    String sql =
        """
        SELECT SUM(released - (%s) - CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END) AS live
        FROM jt_batch WHERE root_id = :rootId AND %s"""
            .formatted(ENDED, UNDER_WAY);
    return database
        .find(
            "count what lives below batch " + rootId,
            sql,
            Map.of("rootId", rootId),
            (row, number) -> row.getInt("live"))
        .orElse(0);
  }

  @Override
  public List<Stopping> findStopping(String nodeGroup, long aboveId, int limit) {
    return database.list(
        "find batches of node group " + nodeGroup + " that stop",
        """
        SELECT id, terminated_by FROM jt_batch %s
        WHERE node_group = :nodeGroup AND all_ended = FALSE AND id > :aboveId
          AND state = 'STOPPING'
        ORDER BY node_group, all_ended, id
        LIMIT :limit"""
            .formatted(database.dialect().indexHint("ix_batch_ended")),
        Map.of("nodeGroup", nodeGroup, "aboveId", aboveId, "limit", limit),
        (row, number) -> new Stopping(row.getLong("id"), row.getString("terminated_by") != null));
  }

  private List<Long> findIds(
      String which,
      String nodeGroup,
      String allEnded,
      String condition,
      long aboveId,
      int limit,
      long number) {
    return database.list(
        "find batches of node group " + nodeGroup + " " + which,
        """
        SELECT id FROM jt_batch %s
        WHERE node_group = :nodeGroup AND all_ended = %s AND id > :aboveId AND %s
        ORDER BY node_group, all_ended, id
        LIMIT :limit"""
            .formatted(database.dialect().indexHint("ix_batch_ended"), allEnded, condition),
        Map.of("nodeGroup", nodeGroup, "aboveId", aboveId, "limit", limit, "number", number),
        Long.class);
  }

  @Override
  public List<Long> findBelow(Collection<Long> parentIds) {
    return database
        .listByIds(
            "find batches below " + parentIds.size() + " batches",
            "SELECT id FROM jt_batch WHERE parent_id IN (:ids) AND " + UNDER_WAY,
            parentIds,
            Map.of(),
            (row, number) -> row.getLong("id"))
        .stream()
        .sorted()
        .toList();
  }
}
