package io.millrace.benchmarks.micro;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.group.generate.TriggerGenerator;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
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
 * Generates the triggers of many cron jobs for ten minutes, with the tracker's own generator, into
 * a database whose commits are on disk. Each shot continues where the previous one ended, ten
 * minutes later. The waiting table grows, because no worker empties it. The first shot, the
 * warm-up, generates triggers for jobs that have none yet.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@SuppressWarnings("NullAway.Init") // JMH calls the method of @Setup first
public class GenerationBenchmark {
  static final String ALL = "all";

  private static final long BEGIN = Instant.parse("2026-03-02T10:00:00.500Z").toEpochMilli();
  private static final long TEN_MINUTES = Duration.ofMinutes(10).toMillis();

  @Param("100000")
  public int jobs;

  /** The number of different expressions, or {@code all}. */
  @Param({"1", "100", ALL})
  public String distinct;

  /** {@code h2}, {@code mariadb}, or the URL of an empty database. */
  @Param("h2")
  public String database;

  private BenchmarkDatabase opened;
  private TriggerGenerator generator;
  private long now;

  @Setup
  public void storeJobs() throws IOException {
    opened = BenchmarkDatabase.open(database);
    Stores stores = opened.stores();
    NodeGroup unused = stores.nodeGroups().ensure(BenchmarkJobs.GROUP, 1);
    int texts = distinct.equals(ALL) ? jobs : Integer.parseInt(distinct);
    BenchmarkJobs.insert(stores, jobs, texts, BEGIN);
    IdSequence ids = new IdSequence(1, stores.trackers().highestId());
    generator =
        new TriggerGenerator(
            BenchmarkJobs.GROUP,
            stores,
            new JobPlanner(ZoneOffset.UTC, GenerationLimits.DEFAULT),
            new CompletionRecorder(stores, ids),
            ids,
            new NoSignals());
    now = BEGIN;
  }

  @Benchmark
  public TriggerGenerator.Generated topUp() {
    TriggerGenerator.Generated done = generator.runOnce(now);
    if (done.jobs() != jobs || done.triggers() != jobs * BenchmarkJobs.FIRES_IN_TEN_MINUTES) {
      throw new IllegalStateException("at " + Instant.ofEpochMilli(now) + ": " + done);
    }
    now += TEN_MINUTES;
    return done;
  }

  @TearDown
  public void deleteDatabase() throws IOException {
    opened.close();
  }

  private static final class NoSignals implements Signals {
    @Override
    public void nodeGroupStored(String nodeGroup) {}

    @Override
    public void triggersStored(String nodeGroup, long earliestDueAt) {}

    @Override
    public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {}

    @Override
    public void stopRequested(String nodeGroup, Collection<Long> executionIds) {}

    @Override
    public void terminated(String nodeGroup, Collection<Long> executionIds) {}

    @Override
    public void feedbackStored() {}
  }
}
