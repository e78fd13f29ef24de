package io.millrace.benchmarks.contender;

/**
 * Which jobs to submit, and how.
 *
 * @param from number of the first job
 * @param count how many
 * @param threads that submit at the same time
 * @param batch jobs in one call; 1 is the call for a single job
 * @param dueFrom when the first may be due, in epoch milliseconds; 0 means now, for each batch anew
 * @param dueSpread milliseconds over which due times are spread at random
 * @param maxMillis after which no further call is made
 * @param perSecond jobs a second; 0 means as fast as it goes
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

  /** Now, as fast as it goes. */
  public static Submission now(int from, int count, int threads, int batch, long maxMillis) {
    return new Submission(from, count, threads, batch, 0, 0, maxMillis, 0);
  }

  /** The same jobs, due from then on, spread at random over so many milliseconds. */
  public Submission due(long newDueFrom, int newDueSpread) {
    return new Submission(
        from, count, threads, batch, newDueFrom, newDueSpread, maxMillis, perSecond);
  }

  /** The same jobs, so many a second. */
  public Submission paced(double newPerSecond) {
    return new Submission(from, count, threads, batch, dueFrom, dueSpread, maxMillis, newPerSecond);
  }
}
