package io.millrace.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/**
 * Quartz over JDBC, clustered so that it survives the death of a process; it acquires up to sixteen
 * triggers at once, and all triggers share one job detail.
 */
final class Quartz implements Submitter, Workers, Tables, Daily {
  private static final String BATCH = "16";
  private static final String SCRIPTS = "/org/quartz/impl/jdbcjobstore/";

  private final JobDetail detail =
      JobBuilder.newJob(QuartzJob.class).withIdentity("bench").storeDurably().build();
  private @Nullable HikariDataSource pool;
  private @Nullable Scheduler scheduler;
  private @Nullable TableView view;
  private @Nullable Place place;

  @Override
  public String open(Place given) throws Exception {
    place = given;
    HikariDataSource opened = Pool.open(given);
    pool = opened;
    Pool.run(opened, tables(given));
    view = TableView.open(given);
    QuartzConnections.use(opened);
    Scheduler built = build(given);
    scheduler = built;
    built.addJob(detail, true);
    return "";
  }

  /**
   * Returns the statements that create the tables. Quartz's script for H2 lacks the indexes of its
   * script for MySQL; H2 gets them too.
   */
  private static List<String> tables(Place place) throws Exception {
    List<String> mySql = Pool.script(SCRIPTS + "tables_mysql_innodb.sql");
    if (!place.isH2()) {
      return mySql;
    }
    List<String> statements = new ArrayList<>(Pool.script(SCRIPTS + "tables_h2.sql"));
    mySql.stream().filter(sql -> sql.startsWith("CREATE INDEX")).forEach(statements::add);
    return statements;
  }

  private static Scheduler build(Place place) throws SchedulerException {
    Properties properties = new Properties();
    Map.of(
            "org.quartz.scheduler.instanceName", "bench",
            "org.quartz.scheduler.instanceId", "AUTO",
            "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", BATCH,
            "org.quartz.threadPool.threadCount", String.valueOf(place.slots()),
            "org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX",
            "org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore.StdJDBCDelegate",
            "org.quartz.jobStore.isClustered", "true",
            "org.quartz.jobStore.acquireTriggersWithinLock", "true",
            "org.quartz.jobStore.dataSource", "bench",
            "org.quartz.dataSource.bench.connectionProvider.class",
                QuartzConnections.class.getName())
        .forEach(properties::setProperty);
    return new StdSchedulerFactory(properties).getScheduler();
  }

  /** Creates the trigger of a job, with the only type of instant that Quartz supports. */
  @SuppressWarnings("JavaUtilDate")
  private Trigger trigger(BenchJob job) {
    return TriggerBuilder.newTrigger()
        .withIdentity(job.key())
        .forJob(detail)
        .usingJobData(QuartzJob.PAYLOAD, job.payload())
        .startAt(new Date(job.dueAt()))
        .build();
  }

  @Override
  public void submit(BenchJob job) throws SchedulerException {
    Object unused = scheduler().scheduleJob(trigger(job));
  }

  @Override
  public void submitAll(List<BenchJob> jobs) throws SchedulerException {
    Set<Trigger> triggers = jobs.stream().map(this::trigger).collect(Collectors.toSet());
    scheduler().scheduleJobs(Map.of(detail, triggers), true);
  }

  @Override
  public void submitDaily(int jobs) throws SchedulerException {
    Set<Trigger> triggers =
        IntStream.range(0, jobs)
            .mapToObj(
                i ->
                    TriggerBuilder.newTrigger()
                        .withIdentity(Daily.key(i))
                        .forJob(detail)
                        .withSchedule(CronScheduleBuilder.cronSchedule(Daily.expression(i)))
                        .build())
            .collect(Collectors.toSet());
    scheduler().scheduleJobs(Map.of(detail, triggers), true);
  }

  @Override
  public void startWorkers() throws SchedulerException {
    scheduler().start();
  }

  @Override
  public void stopWorkers() throws SchedulerException {
    scheduler().shutdown(true);
    scheduler = build(Objects.requireNonNull(place));
  }

  /**
   * Counts triggers in both tables. A trigger leaves its table when it is acquired, and the table
   * of fired triggers when it has run.
   */
  @Override
  public long unfinished(long dueBefore) throws Exception {
    long waiting =
        view().number("SELECT COUNT(*) FROM QRTZ_TRIGGERS WHERE NEXT_FIRE_TIME < ?", dueBefore);
    return waiting + view().number("SELECT COUNT(*) FROM QRTZ_FIRED_TRIGGERS");
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
      scheduler.shutdown(true);
    }
    if (view != null) {
      view.close();
    }
    QuartzConnections.use(null);
    if (pool != null) {
      pool.close();
    }
    scheduler = null;
    view = null;
    pool = null;
    place = null;
  }
}
