package io.millrace.benchmarks.contender;

/**
 * The jobs to submit, and how to submit them.
 *
 * @param from the number of the first job
 * @param count the number of jobs
 * @param threads the number of threads that submit at the same time
 * @param batch the number of jobs in one call; 1 uses the call for a single job
 * @param dueFrom when the first job may be due, in epoch milliseconds; 0 means the time of each
 *     batch
 * @param dueSpread the milliseconds over which due times are spread at random
 * @param maxMillis the time after which no further call is made
 * @param perSecond the rate in jobs per second; 0 means as fast as possible
 */
public record Submission(
    int from,
    int count,
    int threads,
    int batch,
    long dueFrom,
    int dueSpread,
    long maxMillis,
    double perSecond) {

  /** Returns a submission of jobs that are due now, as fast as possible. */
  public static Submission now(int from, int count, int threads, int batch, long maxMillis) {
    return new Submission(from, count, threads, batch, 0, 0, maxMillis, 0);
  }

  /**
   * Returns the same jobs, due from this time on, spread at random over this number of
   * milliseconds.
   */
  public Submission due(long newDueFrom, int newDueSpread) {
    return new Submission(
        from, count, threads, batch, newDueFrom, newDueSpread, maxMillis, perSecond);
  }

  /** Returns the same jobs at this rate in jobs per second. */
  public Submission paced(double newPerSecond) {
    return new Submission(from, count, threads, batch, dueFrom, dueSpread, maxMillis, newPerSecond);
  }
}
