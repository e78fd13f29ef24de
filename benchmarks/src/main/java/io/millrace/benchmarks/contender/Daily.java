package io.millrace.benchmarks.contender;

/** A part that accepts jobs that recur by a cron expression. */
public interface Daily extends Part {
  int MINUTES_OF_AN_HOUR = 60;
  int MINUTES_OF_A_DAY = 24 * MINUTES_OF_AN_HOUR;

  /**
   * Stores this number of jobs that run once a day, with the contender's preferred method for many;
   * returns when all are acknowledged.
   */
  void submitDaily(int jobs) throws Exception;

  /** Returns the key of a job. */
  static String key(int job) {
    return "daily-" + job;
  }

  /** Returns the cron expression of a job: the jobs are spread over the minutes of the day. */
  static String expression(int job) {
    int minute = job % MINUTES_OF_A_DAY;
    return "0 %d %d * * ?".formatted(minute % MINUTES_OF_AN_HOUR, minute / MINUTES_OF_AN_HOUR);
  }
}
