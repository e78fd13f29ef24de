package io.millrace.benchmarks.contender;

import io.millrace.benchmarks.measure.WallClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Submits jobs from several threads, each of which waits for the acknowledgement of each call. */
public final class SubmissionRun {
  private static final long MILLION = 1_000_000;

  private final Submitter submitter;
  private final Submission submission;
  private final AtomicInteger nextBatch = new AtomicInteger();
  private final long begin = WallClock.nanoTime();

  private SubmissionRun(Submitter submitter, Submission submission) {
    this.submitter = submitter;
    this.submission = submission;
  }

  /**
   * The submitted jobs, which are those with the lowest numbers.
   *
   * @param micros the duration
   */
  public record Submitted(int count, long micros) {}

  /**
   * Submits the jobs and returns when all calls are acknowledged; throws the first exception of a
   * thread.
   */
  public static Submitted run(Submitter submitter, Submission submission) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(submission.threads());
    try {
      SubmissionRun run = new SubmissionRun(submitter, submission);
      List<Future<Integer>> parts = new ArrayList<>();
      for (int i = 0; i < submission.threads(); i++) {
        parts.add(threads.submit(run::submitBatches));
      }
      int count = 0;
      for (Future<Integer> part : parts) {
        count += part.get();
      }
      return new Submitted(count, TimeUnit.NANOSECONDS.toMicros(WallClock.nanoTime() - run.begin));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      List<Runnable> unused = threads.shutdownNow();
    }
  }

  private int submitBatches() throws Exception {
    int submitted = 0;
    while (WallClock.nanoTime() - begin < submission.maxMillis() * MILLION) {
      int batch = nextBatch.getAndIncrement();
      int first = batch * submission.batch();
      if (first >= submission.count()) {
        break;
      }
      awaitTurn(first);
      List<BenchJob> jobs = jobs(first, Math.min(submission.batch(), submission.count() - first));
      if (submission.batch() == 1) {
        submitter.submit(jobs.get(0));
      } else {
        submitter.submitAll(jobs);
      }
      submitted += jobs.size();
    }
    return submitted;
  }

  private void awaitTurn(int first) {
    if (submission.perSecond() > 0) {
      long turn = begin + (long) (first / submission.perSecond() * TimeUnit.SECONDS.toNanos(1));
      for (long left = turn - WallClock.nanoTime(); left > 0; left = turn - WallClock.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }

  private List<BenchJob> jobs(int first, int count) {
    List<BenchJob> jobs = new ArrayList<>();
    long due = submission.dueFrom() == 0 ? WallClock.millis() : submission.dueFrom();
    // Every contender gets the same due times.
    Random random = new Random(submission.from() + first);
    for (int i = 0; i < count; i++) {
      int spread = submission.dueSpread() == 0 ? 0 : random.nextInt(submission.dueSpread());
      jobs.add(new BenchJob(submission.from() + first + i, due + spread));
    }
    return jobs;
  }
}
