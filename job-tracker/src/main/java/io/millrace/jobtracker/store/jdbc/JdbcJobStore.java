package io.millrace.jobtracker.store.jdbc;

import io.millrace.common.codec.Codec;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.JobRowMapper;
import io.millrace.jobtracker.store.jdbc.row.JobSearch;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.InLists;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_job}. */
final class JdbcJobStore implements JobStore {
  private static final String SELECT_WHOLE =
      "SELECT " + String.join(", ", JobRowMapper.COLUMNS) + " FROM jt_job ";
  private static final String COLUMNS = Columns.inlined(JobRowMapper.COLUMNS);
  private static final String SELECT = "SELECT " + COLUMNS + " FROM jt_job ";

  private static final List<String> ADVANCE_COLUMNS =
      List.of(
          "job_id",
          "job_version",
          "from_mark",
          "to_mark",
          "next_generate_at",
          "next_fired_count",
          "now_exhausted");
  private static final String LIST =
      "SELECT id, task_id, version, state, running, queued FROM jt_job ";

  private final Database database;
  private final JobRowMapper rows;
  private final RowInsert<Advance> advances;
  private final JobSearch search;

  JdbcJobStore(Database database, Codec codec) {
    this.database = database;
    this.rows = new JobRowMapper(codec);
    this.search = new JobSearch(database, rows, codec);
    this.advances = new RowInsert<>(this::advanceStatement, JdbcJobStore::bind, advance -> 0);
  }

  @Override
  public void insert(JobDefinition job) {
    List<String> columns = new ArrayList<>(JobRowMapper.COLUMNS);
    columns.add("write_seq");
    String sql = RowInsert.statement("jt_job", columns, 1);
    database.run(
        "insert " + nameOf(job),
        () ->
            database
                .jdbc()
                .update(
                    sql,
                    statement -> {
                      Parameters parameters = new Parameters(statement);
                      rows.bind(job, parameters);
                      parameters.number(0);
                    }));
  }

  @Override
  public Optional<JobDefinition> find(long id) {
    return database.call(
        "find job " + id,
        () ->
            database
                .sql(SELECT_WHOLE + "WHERE id = :id")
                .param("id", id)
                .query(rows::read)
                .optional());
  }

  @Override
  public Optional<JobDefinition> find(String nodeGroup, String taskId) {
    return database.call(
        "find job " + nodeGroup + "/" + taskId,
        () ->
            database
                .sql(SELECT_WHOLE + "WHERE node_group = :nodeGroup AND task_id = :taskId")
                .param("nodeGroup", nodeGroup)
                .param("taskId", taskId)
                .query(rows::read)
                .optional());
  }

  @Override
  public List<JobDefinition> findByTasks(String nodeGroup, Collection<String> taskIds) {
    String sql = database.dialect().selectByTasks(COLUMNS, "jt_job", "node_group = :nodeGroup");
    return database.call(
        "find jobs of " + taskIds.size() + " task ids of node group " + nodeGroup,
        () ->
            database.dialect().inLists(taskIds).stream()
                .flatMap(
                    list ->
                        database
                            .sql(sql)
                            .param("nodeGroup", nodeGroup)
                            .param("taskIds", list)
                            .query(rows::read)
                            .stream())
                .toList());
  }

  @Override
  public List<ListedJob> list(String nodeGroup, String aboveTaskId, int limit) {
    String sql =
        LIST
            + """
            WHERE node_group = :nodeGroup AND task_id > :aboveTaskId
            ORDER BY node_group, task_id
            LIMIT :limit""";
    return database.call(
        "list jobs of node group " + nodeGroup,
        () ->
            database
                .sql(sql)
                .param("nodeGroup", nodeGroup)
                .param("aboveTaskId", aboveTaskId)
                .param("limit", limit)
                .query(JdbcJobStore::readListed)
                .list());
  }

  @Override
  public List<ListedJob> list(Collection<Long> ids) {
    return database.call(
        "list " + ids.size() + " jobs",
        () ->
            InLists.of(ids).stream()
                .flatMap(
                    list ->
                        database
                            .sql(LIST + "WHERE id IN (:ids)")
                            .param("ids", list)
                            .query(JdbcJobStore::readListed)
                            .stream())
                .toList());
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
    return database.call(
        "find jobs to generate of node group " + nodeGroup,
        () ->
            database
                .sql(sql)
                .param("nodeGroup", nodeGroup)
                .param("now", now)
                .param("limit", limit)
                .query(rows::read)
                .list());
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
    boolean keepsParams = next.params().isLeftInStore();
    List<String> columns = new ArrayList<>(JobRowMapper.EDITABLE);
    if (!keepsParams) {
      columns.addAll(List.of("params_bytes", "params"));
    }
    String sql =
        "UPDATE jt_job SET write_seq = write_seq + 1, "
            + columns.stream().map(column -> column + " = ?").collect(Collectors.joining(", "))
            + " WHERE id = ? AND version = ?";
    return database.call(
        "replace " + nameOf(next),
        () ->
            database
                    .jdbc()
                    .update(
                        sql,
                        statement -> {
                          Parameters parameters = new Parameters(statement);
                          rows.bindEditable(next, parameters);
                          if (!keepsParams) {
                            Columns.bindParams(next.params(), nameOf(next), parameters);
                          }
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
        "advance " + nameOf(advanced),
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
            ADVANCE_COLUMNS,
            """
            existing.id = given.job_id AND existing.version = given.job_version
              AND existing.generated_until = given.from_mark AND existing.state = 'ACTIVE'""",
            """
            write_seq = write_seq + 1, generated_until = to_mark, generate_at = next_generate_at,
              fired_count = next_fired_count, exhausted = now_exhausted""",
            count);
  }

  private static void bind(Advance advance, Parameters parameters) throws SQLException {
    JobDefinition job = advance.job();
    parameters
        .number(job.id())
        .number(job.version())
        .number(advance.from())
        .number(job.generatedUntil())
        .numberOrNull(job.generateAt())
        .number(job.firedCount())
        .flag(job.exhausted());
  }

  /**
   * Writes first and then reads: after the write no other transaction can change these rows, and a
   * list of jobs takes only two statements.
   */
  @Override
  public Map<Long, LockedJob> lock(Collection<Long> ids) {
    String write = "UPDATE jt_job SET write_seq = write_seq + 1 WHERE id IN (:ids)";
    String read = "SELECT id, version, state, running, queued FROM jt_job WHERE id IN (:ids)";
    return database.call(
        "lock " + ids.size() + " jobs",
        () -> {
          Map<Long, LockedJob> locked = new HashMap<>();
          for (List<Long> list : InLists.of(ids)) {
            database.sql(write).param("ids", list).update();
            database
                .sql(read)
                .param("ids", list)
                .query(
                    row -> {
                      LockedJob job =
                          new LockedJob(
                              row.getLong("id"),
                              row.getInt("version"),
                              JobState.valueOf(row.getString("state")),
                              row.getInt("running"),
                              row.getInt("queued"));
                      locked.put(job.id(), job);
                    });
          }
          return locked;
        });
  }

  @Override
  public RunCounts turns(long id) {
    return database.call(
        "read the turns of job " + id,
        () ->
            database
                .sql("SELECT running, queued FROM jt_job WHERE id = :id")
                .param("id", id)
                .query((row, number) -> new RunCounts(row.getInt("running"), row.getInt("queued")))
                .optional()
                .orElse(new RunCounts(0, 0)));
  }

  @Override
  public Set<String> liveTasksNear(String nodeGroup, String taskId, int rows) {
    return database.call(
        "find jobs near " + nodeGroup + "/" + taskId,
        () -> {
          Set<String> near = new TreeSet<>();
          near.addAll(liveTasksFrom(nodeGroup, taskId, rows, ">=", "ASC"));
          near.addAll(liveTasksFrom(nodeGroup, taskId, rows, "<", "DESC"));
          return near;
        });
  }

  /** Bounds the rows before it filters them: there may be many ended jobs. */
  private Set<String> liveTasksFrom(
      String nodeGroup, String taskId, int rows, String beyond, String order) {
    String sql =
        """
        SELECT task_id FROM (
          SELECT task_id, state FROM jt_job
          WHERE node_group = :nodeGroup AND task_id ${beyond} :taskId
          ORDER BY node_group ${order}, task_id ${order}
          LIMIT :rows) AS near
        WHERE state IN ('ACTIVE', 'PAUSED')"""
            .replace("${beyond}", beyond)
            .replace("${order}", order);
    return database
        .sql(sql)
        .param("nodeGroup", nodeGroup)
        .param("taskId", taskId)
        .param("rows", rows)
        .query(String.class)
        .set();
  }

  @Override
  public Set<String> groupsWithTask(Collection<String> nodeGroups, String taskId) {
    String sql =
        database
            .dialect()
            .selectByNodeGroups(
                "node_group", "jt_job", "task_id = :taskId AND state IN ('ACTIVE', 'PAUSED')");
    return database.call(
        "find node groups with a job " + taskId,
        () -> {
          Set<String> found = new TreeSet<>();
          for (Object list : database.dialect().inLists(nodeGroups)) {
            found.addAll(
                database
                    .sql(sql)
                    .param("taskId", taskId)
                    .param("nodeGroups", list)
                    .query(String.class)
                    .set());
          }
          return found;
        });
  }

  @Override
  public void setTurns(long id, int running, int queued) {
    database.run(
        "count running triggers of job " + id,
        () ->
            database
                .sql("UPDATE jt_job SET running = :running, queued = :queued WHERE id = :id")
                .param("running", running)
                .param("queued", queued)
                .param("id", id)
                .update());
  }

  /** Most jobs have the same run counts, so few statements suffice for many jobs. */
  @Override
  public void setTurns(Map<Long, RunCounts> turns) {
    String sql = "UPDATE jt_job SET running = :running, queued = :queued WHERE id IN (:ids)";
    Map<RunCounts, List<Long>> idsByTurns =
        turns.keySet().stream().sorted().collect(Collectors.groupingBy(turns::get));
    database.run(
        "count running triggers of " + turns.size() + " jobs",
        () ->
            idsByTurns.forEach(
                (counted, ids) -> {
                  for (List<Long> list : InLists.of(ids)) {
                    database
                        .sql(sql)
                        .param("running", counted.running())
                        .param("queued", counted.queued())
                        .param("ids", list)
                        .update();
                  }
                }));
  }

  @Override
  public int nextExtra(long id) {
    return database.call(
        "count an extra trigger of job " + id,
        () -> {
          database
              .sql("UPDATE jt_job SET extra_count = extra_count + 1 WHERE id = :id")
              .param("id", id)
              .update();
          return database
              .sql("SELECT extra_count FROM jt_job WHERE id = :id")
              .param("id", id)
              .query(Integer.class)
              .single();
        });
  }

  @Override
  public void rememberSubmission(long id, int version, String submissionId, long now) {
    String sql =
        """
        INSERT INTO jt_job_submission (job_id, version, submission_id, replaced_at)
        VALUES (:id, :version, :submissionId, :now)""";
    database.run(
        "remember the submission of version " + version + " of job " + id,
        () ->
            database
                .sql(sql)
                .param("id", id)
                .param("version", version)
                .param("submissionId", submissionId)
                .param("now", now)
                .update());
  }

  @Override
  public int forgetSubmissions(long replacedBefore, int limit, long now) {
    String sql =
        database
            .dialect()
            .deleteFirst(
                "jt_job_submission", "replaced_at < :before", List.of("replaced_at", "job_id"));
    return database.call(
        "forget the submissions of versions long replaced",
        () -> {
          dateSubmissions(limit, now);
          return database.sql(sql).param("before", replacedBefore).param("limit", limit).update();
        });
  }

  /**
   * Sets the missing replacement times. A job has at most a hundred of these rows, so bounding the
   * jobs bounds the rows.
   */
  private void dateSubmissions(int jobs, long now) {
    String find =
        "SELECT DISTINCT job_id FROM jt_job_submission WHERE replaced_at IS NULL LIMIT :jobs";
    String date =
        """
        UPDATE jt_job_submission SET replaced_at = :now
        WHERE job_id IN (:ids) AND replaced_at IS NULL""";
    List<Long> ids = database.sql(find).param("jobs", jobs / 10).query(Long.class).list();
    for (List<Long> list : InLists.of(ids)) {
      database.sql(date).param("now", now).param("ids", list).update();
    }
  }

  @Override
  public boolean remembersSubmission(long id, String submissionId) {
    String sql =
        """
        SELECT COUNT(*) FROM jt_job_submission
        WHERE job_id = :id AND submission_id = :submissionId""";
    return database.call(
        "look up a submission of job " + id,
        () ->
            database
                    .sql(sql)
                    .param("id", id)
                    .param("submissionId", submissionId)
                    .query(Long.class)
                    .single()
                > 0);
  }

  private static String nameOf(JobDefinition job) {
    return "job " + job.id() + " (" + job.nodeGroup() + "/" + job.taskId() + ")";
  }
}
