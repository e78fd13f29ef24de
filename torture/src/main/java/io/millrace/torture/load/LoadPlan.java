package io.millrace.torture.load;

import io.millrace.internal.config.Check;

/**
 * What determines a load; equal plans give equal loads.
 *
 * @param seed determines the jobs and their behaviour
 * @param seconds the length of the load; nothing is planned later
 * @param percent how many jobs come, in percent of the usual number
 */
public record LoadPlan(long seed, int seconds, int percent) {
  private static final int USUAL = 100;
  private static final int MINUTE = 60;

  public LoadPlan {
    Check.that(seconds >= 10 && seconds <= 86_400, "a run must last 10 to 86400 seconds");
    Check.that(percent >= 1 && percent <= 1_000, "the load must be between 1 and 1000 percent");
  }

  /** Returns how long the load takes, in milliseconds. */
  long millis() {
    return 1_000L * seconds;
  }

  /** Returns how many jobs come, of those that usually come. */
  int share(int usual) {
    return (int) ((long) usual * percent / USUAL);
  }

  /** Returns the time between two jobs, of what it usually is. */
  long interval(long usual) {
    return usual * USUAL / percent;
  }

  /** Returns a number of seconds that divides a minute, and is no less than the interval of it. */
  int cronSeconds(int usual) {
    int seconds = Math.max(usual * USUAL / percent, 1);
    while (seconds < MINUTE && MINUTE % seconds != 0) {
      seconds++;
    }
    return Math.min(seconds, MINUTE);
  }
}
