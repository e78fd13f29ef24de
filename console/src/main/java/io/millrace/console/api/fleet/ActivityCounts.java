package io.millrace.console.api.fleet;

import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import java.util.List;

/**
 * Counts of what happened in a span of time.
 *
 * @param planned triggers that were generated
 * @param claimed executions claimed for workers
 * @param started executions handed to workers
 * @param succeeded triggers that ended with this status; likewise the next four
 * @param retried attempts that threw an exception and are followed by another attempt
 * @param rescued attempts whose worker was lost
 * @param givenBack attempts that were postponed or returned
 * @param lateness of started executions, from the due time until they were handed to workers
 * @param ran job invocations that have run
 * @param averageRunMillis their average run time; 0 if none ran
 */
public record ActivityCounts(
    long planned,
    long claimed,
    long started,
    long succeeded,
    long failed,
    long dead,
    long cancelled,
    long skipped,
    long retried,
    long rescued,
    long givenBack,
    Lateness lateness,
    long ran,
    double averageRunMillis) {

  /**
   * How late executions were handed to workers.
   *
   * @param averageMillis 0 if none was handed over
   * @param within100Millis number of executions at most 100 ms late
   * @param within1Second more than that, and at most 1 s
   * @param within10Seconds more than that, and at most 10 s
   * @param within60Seconds more than that, and at most 60 s
   * @param longer more than that
   */
  public record Lateness(
      double averageMillis,
      long maxMillis,
      long within100Millis,
      long within1Second,
      long within10Seconds,
      long within60Seconds,
      long longer) {}

  private static final List<Of> STEPS =
      List.of(Of.LATE_100MS, Of.LATE_1S, Of.LATE_10S, Of.LATE_60S);

  static ActivityCounts of(Counts counts) {
    return new ActivityCounts(
        counts.get(Of.PLANNED),
        counts.get(Of.CLAIMED),
        counts.get(Of.STARTED),
        counts.get(Of.SUCCEEDED),
        counts.get(Of.FAILED),
        counts.get(Of.DEAD),
        counts.get(Of.CANCELLED),
        counts.get(Of.SKIPPED),
        counts.get(Of.RETRIED),
        counts.get(Of.RESCUED),
        counts.get(Of.GIVEN_BACK),
        lateness(counts),
        counts.get(Of.RAN),
        average(counts.get(Of.RUN_SUM), counts.get(Of.RAN)));
  }

  private static Lateness lateness(Counts counts) {
    long started = counts.get(Of.STARTED);
    return new Lateness(
        average(counts.get(Of.LATE_SUM), started),
        counts.get(Of.LATE_MAX),
        counts.get(Of.LATE_100MS),
        counts.get(Of.LATE_1S),
        counts.get(Of.LATE_10S),
        counts.get(Of.LATE_60S),
        Math.max(0, started - counts.sum(STEPS)));
  }

  /** The average, rounded to a tenth; 0 if the count is 0. */
  static double average(long sum, long count) {
    return count == 0 ? 0 : Math.round(10.0 * sum / count) / 10.0;
  }
}
