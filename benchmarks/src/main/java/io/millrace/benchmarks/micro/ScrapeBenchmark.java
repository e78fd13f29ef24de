package io.millrace.benchmarks.micro;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.group.preload.BacklogReader;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of observing a tracker with few and many waiting rows, all due and never
 * claimed: a scrape of its meters, and the count of the backlog, which the tracker takes every few
 * seconds.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@SuppressWarnings("NullAway.Init") // JMH calls the method of @Setup first
public class ScrapeBenchmark {
  private static final int BATCH = 1_000;
  private static final long LONG_AGO = Instant.parse("2026-01-02T00:00:00Z").toEpochMilli();

  private static final TriggerSpec SPEC =
      new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "clients", "submission", "client");

  @Param({"1000", "1000000"})
  public int rows;

  /** {@code h2}, {@code mariadb}, or the URL of an empty database. */
  @Param("h2")
  public String database;

  private BenchmarkDatabase opened;
  private JobTracker tracker;
  private BacklogReader backlog;

  @Setup
  public void storeRows() throws IOException {
    opened = BenchmarkDatabase.open(database);
    Stores stores = opened.stores();
    NodeGroup unused = stores.nodeGroups().ensure(BenchmarkJobs.GROUP, 1);
    for (int stored = 0; stored < rows; stored += BATCH) {
      stores.waiting().insert(BenchmarkJobs.GROUP, batch(stored, Math.min(BATCH, rows - stored)));
    }
    tracker = JobTracker.create(JobTrackerConfig.local(0, opened.config()));
    tracker.start();
    // A head that has read nothing, so that each call queries the store.
    WaitingHead head =
        new WaitingHead(
            BATCH,
            1 << 20,
            BATCH,
            GenerationLimits.DEFAULT.misfireThreshold(),
            PriorityOrder.STRICT);
    backlog =
        new BacklogReader(
            BenchmarkJobs.GROUP, stores.waiting(), new WaitingHeads(head, () -> head));
  }

  private static List<WaitingTrigger> batch(int from, int count) {
    return LongStream.range(from, from + count).mapToObj(ScrapeBenchmark::row).toList();
  }

  private static WaitingTrigger row(long number) {
    long id = number + 1;
    long dueAt = LONG_AGO + number;
    return WaitingTrigger.oneShot(id, "task-" + id, dueAt, 100, LONG_AGO, SPEC, StoredParams.NONE);
  }

  @Benchmark
  public String scrape() {
    return tracker.metrics().scrape();
  }

  @Benchmark
  public Backlog countBacklog() {
    Backlog counted = backlog.read(LONG_AGO + rows);
    if (counted.due() != Math.min(rows, Backlog.MOST_COUNTED)) {
      throw new IllegalStateException("counted " + counted);
    }
    return counted;
  }

  @TearDown
  public void deleteDatabase() throws IOException {
    tracker.close();
    opened.close();
  }
}
