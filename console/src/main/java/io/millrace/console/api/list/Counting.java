package io.millrace.console.api.list;

import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Answers requests for the counts of lists. A count that may examine more rows than usual occupies
 * a thread of the API for as long as it takes; so these are few at a time, end after a while with
 * what they have found, and end early if the client has gone. Thread-safe.
 */
public final class Counting {
  /** The most rows that a count examines, unless the request allows more. */
  static final int USUAL = 10_000;

  private static final int MOST = 10_000_000;

  /** Half of the threads that answer requests. */
  static final int LONG_COUNTS = 2;

  static final Duration LONGEST = Duration.ofSeconds(30);

  public static final Param<Integer> UP_TO =
      Param.query(
          "upTo",
          ParamForm.integer(1, MOST),
          USUAL,
          "The most rows that are examined, whether they match or not. A count of more than 10,000"
              + " ends after 30 seconds with what it has found; few run at the same time");

  private final Clock clock;
  private final Semaphore longCounts = new Semaphore(LONG_COUNTS);

  public Counting(Clock clock) {
    this.clock = clock;
  }

  /** Counts as far as a request asks for; throws a problem if too many such counts run. */
  public ListCount answer(Call call, Function<Bound, Count> count) {
    int rows = call.get(UP_TO);
    if (rows <= USUAL) {
      return ListCount.of(count.apply(Bound.of(rows)));
    }
    if (!longCounts.tryAcquire()) {
      throw Kind.UNAVAILABLE.because(
          "COUNTS_BUSY",
          "%d counts of more than 10,000 rows are running; try again when one has ended"
              .formatted(LONG_COUNTS));
    }
    try {
      long began = clock.nanoTime();
      return ListCount.of(
          count.apply(
              new Bound(
                  rows,
                  Bound.STEP,
                  () -> clock.nanoTime() - began < LONGEST.toNanos() && !call.isClientGone())));
    } finally {
      longCounts.release();
    }
  }
}
