package io.millrace.benchmarks.micro;

import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.Stores;
import java.time.ZoneOffset;

/** Cron jobs that fire every five minutes, and therefore twice in ten. */
final class BenchmarkJobs {
  static final String GROUP = "benchmark";
  static final int FIRES_IN_TEN_MINUTES = 2;

  private static final int JOBS_PER_TRANSACTION = 1_000;
  private static final int SECONDS = 60;
  private static final int SECONDS_AND_MINUTES = SECONDS * 5;
  private static final int FIRST_YEARS = 50;
  private static final TriggerSpec SPEC =
      new TriggerSpec(
          null, RetryPolicy.DEFAULT, false, false, "clients", "submission", "benchmark-client");

  private BenchmarkJobs() {}

  /**
   * Returns an expression that fires every five minutes. Each number selects one of the 300 seconds
   * of that period, and the texts all differ.
   *
   * @param number the number of the expression, from 0 to 10 million
   */
  static String expression(int number) {
    int years = number / SECONDS_AND_MINUTES;
    return "%d %d/5 * * * ? %d-%d"
        .formatted(
            number % SECONDS,
            number / SECONDS % 5,
            1970 + years % FIRST_YEARS,
            2200 + years / FIRST_YEARS % 7_000);
  }

  /**
   * Stores jobs whose triggers have not been generated yet, with ids from 1.
   *
   * @param distinct the number of different expressions
   * @param acceptedAt the submit time in epoch milliseconds
   */
  static void insert(Stores stores, int jobs, int distinct, long acceptedAt) {
    for (int from = 0; from < jobs; from += JOBS_PER_TRANSACTION) {
      int begin = from;
      int end = Math.min(jobs, from + JOBS_PER_TRANSACTION);
      stores
          .transactions()
          .run(
              "insert jobs",
              () -> {
                for (int number = begin; number < end; number++) {
                  stores.jobs().insert(job(number, expression(number % distinct), acceptedAt));
                }
              });
    }
  }

  private static JobDefinition job(int number, String expression, long acceptedAt) {
    return new JobDefinition(
        number + 1,
        GROUP,
        "job-" + number,
        1,
        JobState.ACTIVE,
        new Schedule.Cron(expression, ZoneOffset.UTC),
        SPEC,
        StoredParams.NONE,
        100,
        acceptedAt,
        acceptedAt - 1,
        acceptedAt,
        0,
        false);
  }
}
