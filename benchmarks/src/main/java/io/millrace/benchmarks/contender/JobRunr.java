package io.millrace.benchmarks.contender;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jobrunr.jobs.JobId;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.JsonMapperFactory;
import org.jspecify.annotations.Nullable;

/** JobRunr, with the shortest poll interval that it permits. */
final class JobRunr implements Submitter, Workers, Tables {
  private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);

  private final JsonMapper json = JsonMapperFactory.createJsonMapper();
  private @Nullable HikariDataSource pool;
  private @Nullable StorageProvider storage;
  private @Nullable JobScheduler scheduler;
  private @Nullable BackgroundJobServer server;
  private @Nullable TableView view;
  private @Nullable Place place;

  @Override
  public String open(Place given) throws Exception {
    place = given;
    HikariDataSource opened = Pool.open(given);
    pool = opened;
    StorageProvider provider = SqlStorageProviderFactory.using(opened);
    provider.setJobMapper(new JobMapper(json));
    storage = provider;
    scheduler = new JobScheduler(provider);
    view = TableView.open(given);
    return "";
  }

  /** Enqueues due jobs, as JobRunr's users do; scheduling them would cost an additional poll. */
  @Override
  public void submit(BenchJob job) {
    String payload = job.payload();
    JobId unused =
        isDue(job)
            ? scheduler().enqueue(() -> Runs.ran(payload))
            : scheduler().schedule(Instant.ofEpochMilli(job.dueAt()), () -> Runs.ran(payload));
  }

  @Override
  public void submitAll(List<BenchJob> jobs) {
    if (jobs.stream().allMatch(JobRunr::isDue)) {
      scheduler().enqueue(jobs.stream().map(BenchJob::payload), payload -> Runs.ran(payload));
    } else {
      jobs.forEach(this::submit);
    }
  }

  private static boolean isDue(BenchJob job) {
    return job.dueAt() <= io.millrace.benchmarks.measure.WallClock.millis();
  }

  @Override
  public void startWorkers() {
    BackgroundJobServer started =
        new BackgroundJobServer(
            Objects.requireNonNull(storage),
            json,
            null,
            usingStandardBackgroundJobServerConfiguration()
                .andPollInterval(SHORTEST_POLL)
                .andWorkerCount(Objects.requireNonNull(place).slots()));
    server = started;
    started.start();
  }

  @Override
  public void stopWorkers() {
    if (server != null) {
      server.stop();
    }
    server = null;
  }

  @Override
  public long unfinished(long dueBefore) throws Exception {
    long enqueued =
        view()
            .number(
                "SELECT COUNT(*) FROM jobrunr_jobs WHERE state IN ('ENQUEUED', 'PROCESSING',"
                    + " 'FAILED')");
    return enqueued
        + view()
            .number(
                "SELECT COUNT(*) FROM jobrunr_jobs WHERE state = 'SCHEDULED' AND scheduledAt < ?",
                Timestamp.from(Instant.ofEpochMilli(dueBefore)));
  }

  @Override
  public long finished() throws Exception {
    return view().number("SELECT COUNT(*) FROM jobrunr_jobs WHERE state = 'SUCCEEDED'");
  }

  @Override
  public TableView view() {
    return Objects.requireNonNull(view, "is not open");
  }

  private JobScheduler scheduler() {
    return Objects.requireNonNull(scheduler, "is not open");
  }

  @Override
  public void close() throws Exception {
    stopWorkers();
    if (view != null) {
      view.close();
    }
    if (storage != null) {
      storage.close();
    }
    if (pool != null) {
      pool.close();
    }
    scheduler = null;
    storage = null;
    view = null;
    pool = null;
    place = null;
  }
}
