package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.JobRowMapper;
import io.millrace.jobtracker.store.jdbc.row.JobSearch;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.order.Direction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_job}. */
final class JdbcJobStore implements JobStore {
  private static final String SELECT_WHOLE =
      "SELECT " + JobRowMapper.COLUMNS.list() + " FROM jt_job ";
  private static final String COLUMNS = JobRowMapper.COLUMNS.listInlined();
  private static final String SELECT = "SELECT " + COLUMNS + " FROM jt_job ";

  private static final RowColumns<Advance> ADVANCE =
      RowColumns.<Advance>of()
          .number("job_id", advance -> advance.job().id())
          .number("job_version", advance -> advance.job().version())
          .number("from_mark", Advance::from)
          .number("to_mark", advance -> advance.job().generatedUntil())
          .number("next_generate_at", advance -> advance.job().generateAt())
          .number("next_fired_count", advance -> advance.job().firedCount())
          .flag("now_exhausted", advance -> advance.job().exhausted());
  private static final String LISTED = "id, task_id, version, state, running, queued";
  private static final String LOCKED = "id, version, state, running, queued";
  private static final String SELECT_LISTED = "SELECT " + LISTED + " FROM jt_job ";

  private final Database database;
  private final RowsById byId;
  private final JobSearch search;
  private final RowInsert<JobDefinition> insert =
      RowInsert.into(
          "jt_job",
          JobRowMapper.COLUMNS.number("write_seq", job -> 0),
          job -> job.params().bytes());
  private final RowInsert<Advance> advances;

  JdbcJobStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_job");
    this.search = new JobSearch(database);
    this.advances = new RowInsert<>(this::advanceStatement, ADVANCE, advance -> 0);
  }

  @Override
  public void insert(JobDefinition job) {
    database.insert("insert " + JobRowMapper.nameOf(job), insert, List.of(job));
  }

  @Override
  public void insertAll(List<JobDefinition> jobs) {
    database.insert("insert " + jobs.size() + " jobs", insert, jobs);
  }

  @Override
  public Optional<JobDefinition> find(long id) {
    return database.find(
        "find job " + id, SELECT_WHOLE + "WHERE id = :id", Map.of("id", id), JobRowMapper::read);
  }

  @Override
  public Optional<JobDefinition> find(String nodeGroup, String taskId) {
    return database.find(
        "find job " + nodeGroup + "/" + taskId,
        SELECT_WHOLE + "WHERE node_group = :nodeGroup AND task_id = :taskId",
        Map.of("nodeGroup", nodeGroup, "taskId", taskId),
        JobRowMapper::read);
  }

  @Override
  public List<JobDefinition> findByTasks(String nodeGroup, Collection<String> taskIds) {
    String sql = database.dialect().selectByTasks(COLUMNS, "jt_job", "node_group = :nodeGroup");
    return database.listByTasks(
        "find jobs of " + taskIds.size() + " task ids of node group " + nodeGroup,
        sql,
        taskIds,
        Map.of("nodeGroup", nodeGroup),
        JobRowMapper::read);
  }

  @Override
  public List<ListedJob> list(String nodeGroup, String aboveTaskId, int limit) {
    return database.list(
        "list jobs of node group " + nodeGroup,
        SELECT_LISTED
            + """
            WHERE node_group = :nodeGroup AND task_id > :aboveTaskId
            ORDER BY node_group, task_id
            LIMIT :limit""",
        Map.of("nodeGroup", nodeGroup, "aboveTaskId", aboveTaskId, "limit", limit),
        JdbcJobStore::readListed);
  }

  @Override
  public List<ListedJob> list(Collection<Long> ids) {
    return byId.find(ids, LISTED, JdbcJobStore::readListed);
  }

  @Override
  public FoundJobs search(
      Search wanted, Direction direction, @Nullable Place behind, int limit, int lookAt) {
    return database.call("search jobs", () -> search.run(wanted, direction, behind, limit, lookAt));
  }

  private static ListedJob readListed(ResultSet row, int rowNumber) throws SQLException {
    return new ListedJob(
        row.getLong("id"),
        row.getString("task_id"),
        row.getInt("version"),
        JobState.valueOf(row.getString("state")),
        row.getInt("running"),
        row.getInt("queued"));
  }

  /** The lower bound prevents H2 from reading nulls, which come first in its index. */
  @Override
  public List<JobDefinition> findToGenerate(String nodeGroup, long now, int limit) {
    return database.list(
        "find jobs to generate of node group " + nodeGroup,
        SELECT
            + """
            WHERE node_group = :nodeGroup AND generate_at >= 0 AND generate_at <= :now
              AND state = 'ACTIVE'
            ORDER BY node_group, generate_at, id
            LIMIT :limit""",
        Map.of("nodeGroup", nodeGroup, "now", now, "limit", limit),
        JobRowMapper::read);
  }

  @Override
  public @Nullable Long nextGenerateAt(String nodeGroup) {
    return database
        .find(
            "find the next time to generate of node group " + nodeGroup,
            """
        SELECT generate_at FROM jt_job
        WHERE node_group = :nodeGroup AND generate_at >= 0 AND state = 'ACTIVE'
        ORDER BY node_group, generate_at, id
        LIMIT 1""",
            Map.of("nodeGroup", nodeGroup),
            Long.class)
        .orElse(null);
  }

  /** Parameters that were left in the store stay there. */
  @Override
  public boolean replace(JobDefinition next, int expectedVersion) {
    RowColumns<JobDefinition> columns =
        next.params().isLeftInStore() ? JobRowMapper.EDITABLE : JobRowMapper.EDITABLE_AND_PARAMS;
    String sql =
        "UPDATE jt_job SET write_seq = write_seq + 1, %s WHERE id = :id AND version = :expected"
            .formatted(columns.sets());
    MapSqlParameterSource values = columns.values(next).addValue("id", next.id());
    values.addValue("expected", expectedVersion);
    return database.update("replace " + JobRowMapper.nameOf(next), sql, values) == 1;
  }

  @Override
  public boolean advance(JobDefinition advanced) {
    String sql =
        """
        UPDATE jt_job
        SET write_seq = write_seq + 1, generated_until = :until, generate_at = :generateAt,
            fired_count = :fired, exhausted = :exhausted
        WHERE id = :id AND version = :version AND state = 'ACTIVE'""";
    var values =
        new MapSqlParameterSource(Map.of("id", advanced.id(), "version", advanced.version()))
            .addValue("until", advanced.generatedUntil())
            .addValue("generateAt", advanced.generateAt(), Types.BIGINT)
            .addValue("fired", advanced.firedCount())
            .addValue("exhausted", advanced.exhausted());
    return database.update("advance " + JobRowMapper.nameOf(advanced), sql, values) == 1;
  }

  @Override
  public int advanceAll(Collection<Advance> all) {
    List<Advance> sorted =
        all.stream().sorted(Comparator.comparingLong(advance -> advance.job().id())).toList();
    return database.call(
        "advance " + sorted.size() + " jobs", () -> advances.update(database.jdbc(), sorted));
  }

  private String advanceStatement(int count) {
    return database
        .dialect()
        .updateFromRows(
            "jt_job",
            ADVANCE.names(),
            """
            existing.id = given.job_id AND existing.version = given.job_version
              AND existing.generated_until = given.from_mark AND existing.state = 'ACTIVE'""",
            """
            write_seq = write_seq + 1, generated_until = to_mark, generate_at = next_generate_at,
              fired_count = next_fired_count, exhausted = now_exhausted""",
            count);
  }

  @Override
  public Set<String> liveTasksNear(String nodeGroup, String taskId, int rows) {
    return search.liveTasksNear(nodeGroup, taskId, rows);
  }

  @Override
  public Set<String> groupsWithTask(Collection<String> nodeGroups, String taskId) {
    return search.groupsWithTask(nodeGroups, taskId);
  }

  /**
   * Writes first and then reads: after the write no other transaction can change these rows, and a
   * list of jobs takes only two statements.
   */
  @Override
  public Map<Long, LockedJob> lock(Collection<Long> ids) {
    String what = "lock " + ids.size() + " jobs";
    String write = "UPDATE jt_job SET write_seq = write_seq + 1 WHERE id IN (:ids)";
    return database.call(
        what,
        () -> {
          database.updateByIds(what, write, ids, Map.of());
          return byId.find(ids, LOCKED, JdbcJobStore::readLocked).stream()
              .collect(Collectors.toMap(LockedJob::id, Function.identity()));
        });
  }

  private static LockedJob readLocked(ResultSet row, int rowNumber) throws SQLException {
    return new LockedJob(
        row.getLong("id"),
        row.getInt("version"),
        JobState.valueOf(row.getString("state")),
        row.getInt("running"),
        row.getInt("queued"));
  }

  @Override
  public RunCounts turns(long id) {
    return database
        .find(
            "read the turns of job " + id,
            "SELECT running, queued FROM jt_job WHERE id = :id",
            Map.of("id", id),
            (row, number) -> new RunCounts(row.getInt("running"), row.getInt("queued")))
        .orElse(new RunCounts(0, 0));
  }

  /** Most jobs have the same run counts, so few statements suffice for many jobs. */
  @Override
  public void setTurns(Map<Long, RunCounts> turns) {
    String what = "count running triggers of " + turns.size() + " jobs";
    String sql = "UPDATE jt_job SET running = :running, queued = :queued WHERE id IN (:ids)";
    Map<RunCounts, List<Long>> idsByTurns =
        turns.keySet().stream().sorted().collect(Collectors.groupingBy(turns::get));
    database.run(
        what,
        () ->
            idsByTurns.forEach(
                (counted, ids) ->
                    database.updateByIds(
                        what,
                        sql,
                        ids,
                        Map.of("running", counted.running(), "queued", counted.queued()))));
  }

  @Override
  public int nextExtra(long id) {
    String what = "count an extra trigger of job " + id;
    String write = "UPDATE jt_job SET extra_count = extra_count + 1 WHERE id = :id";
    String read = "SELECT extra_count FROM jt_job WHERE id = :id";
    return database.call(
        what,
        () -> {
          database.update(what, write, Map.of("id", id));
          return database.single(what, read, Map.of("id", id), Integer.class);
        });
  }

  @Override
  public void rememberSubmission(long id, int version, String submissionId, long now) {
    database.update(
        "remember the submission of version " + version + " of job " + id,
        """
        INSERT INTO jt_job_submission (job_id, version, submission_id, replaced_at)
        VALUES (:id, :version, :submissionId, :now)""",
        Map.of("id", id, "version", version, "submissionId", submissionId, "now", now));
  }

  @Override
  public boolean remembersSubmission(long id, String submissionId) {
    return database.single(
            "look up a submission of job " + id,
            """
        SELECT COUNT(*) FROM jt_job_submission
        WHERE job_id = :id AND submission_id = :submissionId""",
            Map.of("id", id, "submissionId", submissionId),
            Long.class)
        > 0;
  }

  @Override
  public int forgetSubmissions(long replacedBefore, int limit, long now) {
    String what = "forget the submissions of versions long replaced";
    String sql =
        database
            .dialect()
            .deleteFirst(
                "jt_job_submission", "replaced_at < :before", List.of("replaced_at", "job_id"));
    return database.call(
        what,
        () -> {
          setMissingTimes(what, limit, now);
          return database.update(what, sql, Map.of("before", replacedBefore, "limit", limit));
        });
  }

  /**
   * Sets the missing replacement times. A job has at most a hundred of these rows, so bounding the
   * jobs bounds the rows.
   */
  private void setMissingTimes(String what, int jobs, long now) {
    String find =
        "SELECT DISTINCT job_id FROM jt_job_submission WHERE replaced_at IS NULL LIMIT :jobs";
    String date =
        """
        UPDATE jt_job_submission SET replaced_at = :now
        WHERE job_id IN (:ids) AND replaced_at IS NULL""";
    List<Long> ids = database.list(what, find, Map.of("jobs", jobs / 10), Long.class);
    database.updateByIds(what, date, ids, Map.of("now", now));
  }
}
