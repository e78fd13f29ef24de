package io.millrace.benchmarks.contender;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.jdbc.MySQL8JdbcCustomization;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler, tuned: it polls fifty times a second, and at once after a submit, and fetches again
 * as soon as its queue has shrunk to its number of threads, up to eight times that number.
 */
final class DbScheduler implements Submitter, Workers, Tables {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final double LOWER_LIMIT = 1.0;
  private static final double UPPER_LIMIT = 8.0;

  /** The script of db-scheduler without the index for priorities, which are off. */
  private static final String TABLE =
      """
      CREATE TABLE scheduled_tasks (
        task_name VARCHAR(100) NOT NULL,
        task_instance VARCHAR(100) NOT NULL,
        task_data BLOB,
        execution_time %1$s NOT NULL,
        picked BOOLEAN NOT NULL,
        picked_by VARCHAR(50),
        last_success %1$s NULL,
        last_failure %1$s NULL,
        consecutive_failures INT,
        last_heartbeat %1$s NULL,
        version BIGINT NOT NULL,
        priority SMALLINT,
        PRIMARY KEY (task_name, task_instance))
      """;

  private static final List<String> INDEXES =
      List.of(
          "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
          "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");

  private final boolean locks;
  private final OneTimeTask<String> task =
      Tasks.oneTime("bench", String.class)
          .execute((instance, context) -> Runs.ran(data(instance.getData())));
  private @Nullable HikariDataSource pool;
  private @Nullable Scheduler scheduler;
  private @Nullable TableView view;
  private @Nullable Place place;

  /**
   * @param locks whether it locks and fetches in one step, which works only on a server, and only
   *     if db-scheduler detects the server as MySQL 8
   */
  DbScheduler(boolean locks) {
    this.locks = locks;
  }

  private static String data(@Nullable String data) {
    return Objects.requireNonNull(data, "data of a task");
  }

  @Override
  public String open(Place given) throws Exception {
    place = given;
    HikariDataSource opened = Pool.open(given);
    pool = opened;
    String time = given.isH2() ? "TIMESTAMP(6) WITH TIME ZONE" : "TIMESTAMP(6)";
    Pool.run(opened, List.of(TABLE.formatted(time)));
    Pool.run(opened, INDEXES);
    view = TableView.open(given);
    scheduler = build(given, opened);
    return "";
  }

  private Scheduler build(Place at, HikariDataSource dataSource) {
    SchedulerBuilder builder =
        Scheduler.create(dataSource, task)
            .threads(at.slots())
            .pollingInterval(POLL)
            .enableImmediateExecution();
    if (!at.isH2()) {
      builder.alwaysPersistTimestampInUTC();
    }
    return (locks
            ? builder
                .jdbcCustomization(new MySQL8JdbcCustomization(true))
                .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
            : builder.pollUsingFetch(LOWER_LIMIT, UPPER_LIMIT))
        .build();
  }

  @Override
  public void submit(BenchJob job) {
    scheduler()
        .schedule(task.instance(job.key(), job.payload()), Instant.ofEpochMilli(job.dueAt()));
  }

  @Override
  public void submitAll(List<BenchJob> jobs) {
    scheduler()
        .scheduleBatch(
            jobs.stream()
                .map(
                    job ->
                        SchedulableInstance.of(
                            task.instance(job.key(), job.payload()),
                            Instant.ofEpochMilli(job.dueAt())))
                .collect(Collectors.toList()));
  }

  @Override
  public void startWorkers() {
    scheduler().start();
  }

  /**
   * Stops the scheduler and creates another one, because a stopped scheduler cannot be restarted.
   */
  @Override
  public void stopWorkers() {
    scheduler().stop();
    scheduler = build(Objects.requireNonNull(place), Objects.requireNonNull(pool));
  }

  @Override
  public long unfinished(long dueBefore) throws Exception {
    return view()
        .number(
            "SELECT COUNT(*) FROM scheduled_tasks WHERE execution_time < ?",
            Timestamp.from(Instant.ofEpochMilli(dueBefore)));
  }

  @Override
  public long finished() {
    return NO_RECORD;
  }

  @Override
  public TableView view() {
    return Objects.requireNonNull(view, "is not open");
  }

  private Scheduler scheduler() {
    return Objects.requireNonNull(scheduler, "is not open");
  }

  @Override
  public void close() throws Exception {
    if (scheduler != null) {
      scheduler.stop();
    }
    if (view != null) {
      view.close();
    }
    if (pool != null) {
      pool.close();
    }
    scheduler = null;
    view = null;
    pool = null;
    place = null;
  }
}
