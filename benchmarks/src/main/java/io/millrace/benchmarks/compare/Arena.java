package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.child.PartProcess.Progress;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.contender.Tables;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.measure.WireRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One contender with an empty database, for one round. Every call may fail. Not thread-safe. */
final class Arena implements AutoCloseable {
  /**
   * The maximum time before a contender runs its first job, and the additional time to complete its
   * last jobs.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final long LOOK_MILLIS = 5;

  private final Contender contender;
  private final Plan plan;
  private final Databases databases;
  private final Fresh database;
  private final @Nullable WireRelay wire;
  private boolean working;

  /** The number of completed jobs in the tables before the present round of jobs. */
  private long finishedBefore;

  private Arena(
      Contender contender,
      Plan plan,
      Databases databases,
      Fresh database,
      @Nullable WireRelay wire) {
    this.contender = contender;
    this.plan = plan;
    this.databases = databases;
    this.database = database;
    this.wire = wire;
  }

  /**
   * Opens an arena.
   *
   * @param wire counts the bytes between the contender's processes; null if they are not counted
   */
  static Arena open(Contender contender, Plan plan, Databases databases, @Nullable WireRelay wire) {
    Fresh database = databases.fresh();
    Arena arena = new Arena(contender, plan, databases, database, wire);
    try {
      arena.openParts();
      return arena;
    } catch (RuntimeException failure) {
      database.close();
      throw failure;
    }
  }

  private void openParts() {
    List<PartProcess> parts = contender.parts();
    int port = wire == null ? 0 : wire.targetPort();
    int advertised = wire == null ? 0 : wire.port();
    String address =
        parts
            .get(0)
            .open(Place.of(database.url(), database.user(), plan.slots()).at(port, advertised));
    for (PartProcess other : parts.subList(1, parts.size())) {
      String unused = other.open(Place.of(address, "", plan.slots()));
    }
  }

  /**
   * A drain: the number of durably completed jobs, and the time from the first claim to the last
   * completion.
   */
  record Drained(long jobs, double seconds) {
    double perSecond() {
      return jobs / seconds;
    }
  }

  Contender contender() {
    return contender;
  }

  /** Expects jobs with numbers below this one and forgets earlier ones. */
  void begin(int jobs) {
    contender.workers().begin(jobs);
    finishedBefore = contender.tables().finished();
  }

  Submitted submit(Submission submission) {
    Submitted submitted = contender.submitter().submit(submission);
    if (submitted.count() == 0) {
      throw new ContenderFailedException("did not submit in time", null);
    }
    return submitted;
  }

  /** Submits jobs that run once a second until the end of the round. */
  void submitEverySecond(int jobs) {
    contender.submitter().submitEverySecond(jobs);
  }

  /** Returns the number of runs so far. */
  int executed() {
    return contender.workers().progress().executed();
  }

  void startWorkers() {
    contender.workers().startWorkers();
    working = true;
  }

  /**
   * Starts the workers and waits until all jobs, this number in total, are completed, or until the
   * time limit.
   */
  Drained drain(int jobs, Duration atMost) {
    long asked = WallClock.micros();
    if (!working) {
      startWorkers();
    }
    return await(jobs, asked, asked, atMost);
  }

  /**
   * Waits until all due jobs, this number in total, are completed, or until the time limit.
   *
   * @param from the begin of the drain, in epoch microseconds; if it is before the first run, the
   *     first run counts
   */
  private Drained await(int jobs, long asked, long from, Duration atMost) {
    long limit = atMost.toNanos() / 1_000;
    while (true) {
      Progress progress = contender.workers().progress();
      long begin = Math.max(from, Math.min(progress.firstMicros(), WallClock.micros()));
      boolean begun = progress.firstMicros() != Long.MAX_VALUE;
      if (!begun && WallClock.micros() - asked > PATIENCE.toMillis() * 1_000) {
        throw new ContenderFailedException(
            "ran no job within " + PATIENCE.toSeconds() + " s", null);
      }
      if (progress.executed() >= jobs && unfinished() == 0) {
        Drained drained = new Drained(jobs, seconds(begin, WallClock.micros()));
        verify(jobs);
        return drained;
      }
      if (begun && WallClock.micros() - begin > limit) {
        long left = unfinished();
        return new Drained(jobs - left, seconds(begin, WallClock.micros()));
      }
      pause(LOOK_MILLIS);
    }
  }

  /**
   * Submits jobs while the workers run, and waits for the last job: measures from the first call to
   * the last durable completion.
   */
  Drained steady(Submission submission, Duration atMost) {
    long from = WallClock.micros();
    Submitted submitted = submit(submission);
    long asked = WallClock.micros();
    Drained drained = await(submitted.count(), asked, from, atMost);
    return new Drained(drained.jobs(), seconds(from, WallClock.micros()));
  }

  /** Waits until this number of jobs has run and is completed; fails after the time limit. */
  void awaitDone(int jobs, Duration atMost) {
    long asked = WallClock.micros();
    long limit = atMost.plus(PATIENCE).toNanos() / 1_000;
    while (contender.workers().progress().executed() < jobs || unfinished() > 0) {
      if (WallClock.micros() - asked > limit) {
        throw new ContenderFailedException(
            "%d of %d jobs had run after %d s"
                .formatted(
                    contender.workers().progress().executed(),
                    jobs,
                    TimeUnit.MICROSECONDS.toSeconds(limit)),
            null);
      }
      pause(LOOK_MILLIS);
    }
  }

  /** Checks that the tables show as many completed jobs as have run. */
  private void verify(int jobs) {
    long finished = contender.tables().finished();
    if (finished != Tables.NO_RECORD && finished - finishedBefore != jobs) {
      throw new ContenderFailedException(
          "%d jobs ran, and the tables show the success of %d"
              .formatted(jobs, finished - finishedBefore),
          null);
    }
  }

  /** Returns the number of due jobs that are not completed according to the tables. */
  long unfinished() {
    // The additional waiting jobs are due in a month.
    return contender.tables().unfinished(WallClock.millis() + TimeUnit.DAYS.toMillis(1));
  }

  /** Stops the workers until the next drain. */
  void stopWorkers() {
    contender.workers().stopWorkers();
    working = false;
  }

  /** Returns the number of repeated runs of jobs. */
  int repeated() {
    return contender.workers().progress().repeated();
  }

  Percentiles lateness(int from, int to) {
    return contender.workers().lateness(from, to);
  }

  /**
   * Returns the CPU time of all the contender's processes and of the database server, in
   * microseconds.
   */
  long cpuMicros() {
    return databases.serverCpuMicros()
        + contender.parts().stream().mapToLong(part -> part.usage(false).cpuMicros()).sum();
  }

  /** Returns the heap in use after a collection in the process with the tables, in bytes. */
  long heapBytes() {
    return contender.tables().usage(true).heapBytes();
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ContenderFailedException("interrupted", e);
    }
  }

  private static double seconds(long fromMicros, long toMicros) {
    return Math.max(1, toMicros - fromMicros) / (double) TimeUnit.SECONDS.toMicros(1);
  }

  /** Stops the workers and deletes the database. */
  @Override
  public void close() {
    try {
      if (working) {
        stopWorkers();
      }
      List<PartProcess> lastFirst = new ArrayList<>(contender.parts());
      Collections.reverse(lastFirst);
      lastFirst.forEach(PartProcess::closePart);
    } finally {
      database.close();
    }
  }
}
