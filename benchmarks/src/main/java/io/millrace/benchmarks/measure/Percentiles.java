package io.millrace.benchmarks.measure;

/**
 * A distribution of durations, in milliseconds.
 *
 * @param count the number of values
 */
public record Percentiles(int count, double min, double p50, double p95, double p99, double max) {
  private static final double MICROS_OF_MILLI = 1_000;

  /** Computes the distribution of sorted values in microseconds; all NaN if there are none. */
  public static Percentiles ofMicros(long[] sorted) {
    return new Percentiles(
        sorted.length,
        at(sorted, 0),
        at(sorted, 0.5),
        at(sorted, 0.95),
        at(sorted, 0.99),
        at(sorted, 1));
  }

  /** Returns the smallest value that at least this fraction of the values does not exceed. */
  private static double at(long[] sorted, double part) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(part * sorted.length) - 1;
    return sorted[Math.max(0, rank)] / MICROS_OF_MILLI;
  }
}
