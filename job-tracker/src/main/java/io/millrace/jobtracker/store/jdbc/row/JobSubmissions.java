package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.InLists;
import java.util.List;
import java.util.Map;

/** The table {@code jt_job_submission}: the submits of earlier versions of jobs. */
public final class JobSubmissions {
  private final Database database;

  public JobSubmissions(Database database) {
    this.database = database;
  }

  public void remember(long id, int version, String submissionId, long now) {
    String sql =
        """
        INSERT INTO jt_job_submission (job_id, version, submission_id, replaced_at)
        VALUES (:id, :version, :submissionId, :now)""";
    database.update(
        "remember the submission of version " + version + " of job " + id,
        sql,
        Map.of("id", id, "version", version, "submissionId", submissionId, "now", now));
  }

  public int forget(long replacedBefore, int limit, long now) {
    String sql =
        database
            .dialect()
            .deleteFirst(
                "jt_job_submission", "replaced_at < :before", List.of("replaced_at", "job_id"));
    return database.call(
        "forget the submissions of versions long replaced",
        () -> {
          setMissingTimes(limit, now);
          return database.sql(sql).param("before", replacedBefore).param("limit", limit).update();
        });
  }

  /**
   * Sets the missing replacement times. A job has at most a hundred of these rows, so bounding the
   * jobs bounds the rows.
   */
  private void setMissingTimes(int jobs, long now) {
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

  public boolean remembers(long id, String submissionId) {
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
}
