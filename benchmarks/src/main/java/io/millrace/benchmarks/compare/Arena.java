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

/** One contender over an empty database, for one round. Every call may fail. Not thread-safe. */
final class Arena implements AutoCloseable {
  /** How long a contender may take to begin, and to be done with the last of its jobs. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final long LOOK_MILLIS = 5;

  private final Contender contender;
  private final Plan plan;
  private final Databases databases;
  private final Fresh database;
  private final @Nullable WireRelay wire;
  private boolean working;

  /** Jobs that the tables showed as done when the present ones began. */
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
   * Opens one.
   *
   * @param wire what the bytes between its processes are counted by, if they are
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
            .open(new Place(database.url(), database.user(), plan.slots(), port, advertised));
    for (PartProcess other : parts.subList(1, parts.size())) {
      String unused = other.open(new Place(address, "", plan.slots(), 0, 0));
    }
  }

  /** A drain: jobs that are durably done, and the time from the first claim to the last of them. */
  record Drained(long jobs, double seconds) {
    double perSecond() {
      return jobs / seconds;
    }
  }

  Contender contender() {
    return contender;
  }

  /** Expects jobs with numbers below this one, and forgets those before. */
  void begin(int jobs) {
    contender.workers().begin(jobs);
    finishedBefore = contender.tables().finished();
  }

  Submitted submit(Submission submission) {
    Submitted submitted = contender.submitter().submit(submission);
    if (submitted.count() == 0) {
      throw new ContenderFailedException("submitted nothing in time", null);
    }
    return submitted;
  }

  /** Stores jobs that run once a second until the round is over. */
  void submitEverySecond(int jobs) {
    contender.submitter().submitEverySecond(jobs);
  }

  /** Runs so far. */
  int executed() {
    return contender.workers().progress().executed();
  }

  void startWorkers() {
    contender.workers().startWorkers();
    working = true;
  }

  /**
   * Starts the workers and waits until so many jobs, all that there are, are done, or this time is
   * over.
   */
  Drained drain(int jobs, Duration atMost) {
    long asked = WallClock.micros();
    if (!working) {
      startWorkers();
    }
    return await(jobs, asked, asked, atMost);
  }

  /**
   * Waits until so many jobs, all that are due, are done, or the time is over.
   *
   * @param from when the drain began, in epoch microseconds; if that was before the first job ran,
   *     the first job counts
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
   * Submits with the workers at work, and waits for the last job: from the first call to the last
   * durable end.
   */
  Drained steady(Submission submission, Duration atMost) {
    long from = WallClock.micros();
    Submitted submitted = submit(submission);
    long asked = WallClock.micros();
    Drained drained = await(submitted.count(), asked, from, atMost);
    return new Drained(drained.jobs(), seconds(from, WallClock.micros()));
  }

  /** Waits until so many jobs have run and are done; fails if they are not in time. */
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

  /** The tables must show what the jobs have told. */
  private void verify(int jobs) {
    long finished = contender.tables().finished();
    if (finished != Tables.NO_RECORD && finished - finishedBefore != jobs) {
      throw new ContenderFailedException(
          "%d jobs ran, and the tables show the success of %d"
              .formatted(jobs, finished - finishedBefore),
          null);
    }
  }

  /** Jobs that are due and not done, by the tables. */
  long unfinished() {
    // What was put beside for later is due in a month.
    return contender.tables().unfinished(WallClock.millis() + TimeUnit.DAYS.toMillis(1));
  }

  /** Takes no more jobs until the next drain. */
  void stopWorkers() {
    contender.workers().stopWorkers();
    working = false;
  }

  /** Runs of jobs that had run before. */
  int repeated() {
    return contender.workers().progress().repeated();
  }

  Percentiles lateness(int from, int to) {
    return contender.workers().lateness(from, to);
  }

  /** CPU time of all its processes and of the database's server, in microseconds. */
  long cpuMicros() {
    return databases.serverCpuMicros()
        + contender.parts().stream().mapToLong(part -> part.usage(false).cpuMicros()).sum();
  }

  /** Heap in use after a collection in the process that has the tables, in bytes. */
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
