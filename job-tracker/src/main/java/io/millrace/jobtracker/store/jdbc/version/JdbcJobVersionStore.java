package io.millrace.jobtracker.store.jdbc.version;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.JobVersion.Definition;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.version.JobVersionStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_job_version}. */
public final class JdbcJobVersionStore implements JobVersionStore {
  private static final int NAME_CHARS = 257;
  private static final int ADDRESS_CHARS = 64;

  private static final RowColumns<Author> AUTHOR =
      RowColumns.<Author>of()
          .name("source", Author::source)
          .text("stored_by", NAME_CHARS, Author::name)
          .text("address", ADDRESS_CHARS, Author::address);

  private static final RowColumns<Definition> DEFINITION =
      RowColumns.<Definition>of()
          .json("schedule", Definition::schedule)
          .json("spec", Definition::spec)
          .number("priority", Definition::priority)
          .number("params_bytes", definition -> definition.params().bytes())
          .text("params", definition -> definition.params().json());

  private static final RowColumns<JobVersion> COLUMNS =
      RowColumns.<JobVersion>of()
          .number("job_id", JobVersion::jobId)
          .number("version", JobVersion::version)
          .number("stored_at", JobVersion::storedAt)
          .part(JobVersion::author, AUTHOR)
          .text("submission_id", JobVersion::submissionId)
          .part(JobVersion::definition, DEFINITION);

  private final Database database;
  private final RowInsert<JobVersion> insert =
      RowInsert.into("jt_job_version", COLUMNS, JdbcJobVersionStore::bytesOf);

  public JdbcJobVersionStore(Database database) {
    this.database = database;
  }

  private static int bytesOf(JobVersion version) {
    Definition definition = version.definition();
    return definition == null || definition.params().json() == null
        ? 0
        : definition.params().bytes();
  }

  @Override
  public void insert(List<JobVersion> versions) {
    database.insert("insert " + versions.size() + " versions of jobs", insert, versions);
  }

  /** Finds the latest versions by the key alone and then reads one row of each job. */
  @Override
  public Map<Long, String> latestSubmissions(Collection<Long> jobIds) {
    return database
        .listByIds(
            "find the latest versions of " + jobIds.size() + " jobs",
            """
            SELECT found.job_id, found.submission_id FROM (
              SELECT job_id, MAX(version) AS version FROM jt_job_version
              WHERE job_id IN (:ids) GROUP BY job_id) AS latest
            JOIN jt_job_version AS found
              ON found.job_id = latest.job_id AND found.version = latest.version""",
            jobIds,
            Map.of(),
            (row, number) -> Map.entry(row.getLong("job_id"), row.getString("submission_id")))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public List<JobVersion> list(long jobId, int belowVersion, int limit) {
    return database.list(
        "list the versions of job " + jobId,
        "SELECT "
            + COLUMNS.list()
            + """
             FROM jt_job_version
            WHERE job_id = :jobId AND version < :below
            ORDER BY job_id DESC, version DESC LIMIT :limit""",
        Map.of("jobId", jobId, "below", belowVersion, "limit", limit),
        JdbcJobVersionStore::read);
  }

  @Override
  public void trim(long jobId) {
    String what = "delete old versions of job " + jobId;
    String find =
        """
        SELECT version FROM jt_job_version WHERE job_id = :jobId
        ORDER BY job_id DESC, version DESC LIMIT 1 OFFSET :kept""";
    String delete = "DELETE FROM jt_job_version WHERE job_id = :jobId AND version <= :last";
    database.run(
        what,
        () ->
            database
                .find(what, find, Map.of("jobId", jobId, "kept", JobVersion.KEPT), Integer.class)
                .ifPresent(
                    last -> {
                      int unused =
                          database.update(what, delete, Map.of("jobId", jobId, "last", last));
                    }));
  }

  @Override
  public int deleteBefore(long storedBefore, int limit) {
    String sql =
        database
            .dialect()
            .deleteFirst(
                "jt_job_version", "stored_at < :before", List.of("stored_at", "job_id", "version"));
    return database.update(
        "delete old versions of jobs", sql, Map.of("before", storedBefore, "limit", limit));
  }

  private static JobVersion read(ResultSet row, int rowNumber) throws SQLException {
    return new JobVersion(
        row.getLong("job_id"),
        row.getInt("version"),
        row.getLong("stored_at"),
        new Author(
            Source.valueOf(row.getString("source")),
            row.getString("stored_by"),
            row.getString("address")),
        row.getString("submission_id"),
        readDefinition(row));
  }

  private static @Nullable Definition readDefinition(ResultSet row) throws SQLException {
    Schedule schedule = Columns.readJsonOrNull(row, "schedule", Schedule.class);
    return schedule == null
        ? null
        : new Definition(
            schedule,
            Columns.readJson(row, "spec", TriggerSpec.class),
            row.getInt("priority"),
            new StoredParams(row.getInt("params_bytes"), row.getString("params")));
  }
}
