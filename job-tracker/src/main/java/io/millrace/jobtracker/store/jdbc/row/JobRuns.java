package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.InLists;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Locks jobs, and counts the triggers of a job that run, wait for their turn, or were asked for.
 */
public final class JobRuns {
  private final Database database;

  public JobRuns(Database database) {
    this.database = database;
  }

  /**
   * Writes first and then reads: after the write no other transaction can change these rows, and a
   * list of jobs takes only two statements.
   */
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

  public void setTurns(long id, int running, int queued) {
    database.update(
        "count running triggers of job " + id,
        "UPDATE jt_job SET running = :running, queued = :queued WHERE id = :id",
        Map.of("running", running, "queued", queued, "id", id));
  }

  /** Most jobs have the same run counts, so few statements suffice for many jobs. */
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
}
