package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.JobRowMapper;
import io.millrace.jobtracker.store.jdbc.row.JobRuns;
import io.millrace.jobtracker.store.jdbc.row.JobSearch;
import io.millrace.jobtracker.store.jdbc.row.JobSubmissions;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  private final Database database;
  private final RowsById byId;
  private final JobSearch search;
  private final JobRuns runs;
  private final JobSubmissions submissions;
  private final RowInsert<JobDefinition> insert =
      RowInsert.into("jt_job", JobRowMapper.COLUMNS.number("write_seq", job -> 0), job -> 0);
  private final RowInsert<Advance> advances;

  JdbcJobStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_job");
    this.search = new JobSearch(database);
    this.runs = new JobRuns(database);
    this.submissions = new JobSubmissions(database);
    this.advances = new RowInsert<>(this::advanceStatement, ADVANCE, advance -> 0);
  }

  @Override
  public void insert(JobDefinition job) {
    database.run(
        "insert " + JobRowMapper.nameOf(job), () -> insert.insert(database.jdbc(), List.of(job)));
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
    String sql =
        "SELECT "
            + LISTED
            + """
             FROM jt_job
            WHERE node_group = :nodeGroup AND task_id > :aboveTaskId
            ORDER BY node_group, task_id
            LIMIT :limit""";
    return database.list(
        "list jobs of node group " + nodeGroup,
        sql,
        Map.of("nodeGroup", nodeGroup, "aboveTaskId", aboveTaskId, "limit", limit),
        JdbcJobStore::readListed);
  }

  @Override
  public List<ListedJob> list(Collection<Long> ids) {
    return byId.find(ids, LISTED, JdbcJobStore::readListed);
  }

  @Override
  public FoundJobs search(Search wanted, Place behind, int limit, int lookAt) {
    return database.call("search jobs", () -> search.run(wanted, behind, limit, lookAt));
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
    String sql =
        SELECT
            + """
            WHERE node_group = :nodeGroup AND generate_at >= 0 AND generate_at <= :now
              AND state = 'ACTIVE'
            ORDER BY node_group, generate_at, id
            LIMIT :limit""";
    return database.list(
        "find jobs to generate of node group " + nodeGroup,
        sql,
        Map.of("nodeGroup", nodeGroup, "now", now, "limit", limit),
        JobRowMapper::read);
  }

  @Override
  public @Nullable Long nextGenerateAt(String nodeGroup) {
    String sql =
        """
        SELECT generate_at FROM jt_job
        WHERE node_group = :nodeGroup AND generate_at >= 0 AND state = 'ACTIVE'
        ORDER BY node_group, generate_at, id
        LIMIT 1""";
    return database
        .call(
            "find the next time to generate of node group " + nodeGroup,
            () -> database.sql(sql).param("nodeGroup", nodeGroup).query(Long.class).optional())
        .orElse(null);
  }

  /** Parameters that were left in the store stay there. */
  @Override
  public boolean replace(JobDefinition next, int expectedVersion) {
    RowColumns<JobDefinition> columns =
        next.params().isLeftInStore() ? JobRowMapper.EDITABLE : JobRowMapper.EDITABLE_AND_PARAMS;
    String sql =
        "UPDATE jt_job SET write_seq = write_seq + 1, %s WHERE id = ? AND version = ?"
            .formatted(columns.sets());
    return database.call(
        "replace " + JobRowMapper.nameOf(next),
        () ->
            database
                    .jdbc()
                    .update(
                        sql,
                        statement -> {
                          Parameters parameters = new Parameters(statement);
                          columns.bind(next, parameters);
                          parameters.number(next.id()).number(expectedVersion);
                        })
                == 1);
  }

  @Override
  public boolean advance(JobDefinition advanced) {
    String sql =
        """
        UPDATE jt_job
        SET write_seq = write_seq + 1,
            generated_until = ?, generate_at = ?, fired_count = ?, exhausted = ?
        WHERE id = ? AND version = ? AND state = 'ACTIVE'""";
    return database.call(
        "advance " + JobRowMapper.nameOf(advanced),
        () ->
            database
                    .jdbc()
                    .update(
                        sql,
                        statement ->
                            new Parameters(statement)
                                .number(advanced.generatedUntil())
                                .numberOrNull(advanced.generateAt())
                                .number(advanced.firedCount())
                                .flag(advanced.exhausted())
                                .number(advanced.id())
                                .number(advanced.version()))
                == 1);
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

  @Override
  public Map<Long, LockedJob> lock(Collection<Long> ids) {
    return runs.lock(ids);
  }

  @Override
  public RunCounts turns(long id) {
    return runs.turns(id);
  }

  @Override
  public void setTurns(long id, int running, int queued) {
    runs.setTurns(id, running, queued);
  }

  @Override
  public void setTurns(Map<Long, RunCounts> turns) {
    runs.setTurns(turns);
  }

  @Override
  public int nextExtra(long id) {
    return runs.nextExtra(id);
  }

  @Override
  public void rememberSubmission(long id, int version, String submissionId, long now) {
    submissions.remember(id, version, submissionId, now);
  }

  @Override
  public boolean remembersSubmission(long id, String submissionId) {
    return submissions.remembers(id, submissionId);
  }

  @Override
  public int forgetSubmissions(long replacedBefore, int limit, long now) {
    return submissions.forget(replacedBefore, limit, now);
  }
}
