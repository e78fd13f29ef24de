package io.millrace.benchmarks.contender;

import java.util.Locale;

/**
 * A job that only reports that it ran.
 *
 * @param number from 0, different for every job of a round
 * @param dueAt when the job is due, in epoch milliseconds
 */
public record BenchJob(int number, long dueAt) {
  /**
   * The number of characters of the parameters, all of them ASCII, that every contender stores with
   * every job.
   */
  public static final int PAYLOAD_CHARS = 120;

  private static final int NUMBER_CHARS = 9;
  private static final int DUE_CHARS = 14;
  private static final String FILLER =
      "all work and no play ".repeat(PAYLOAD_CHARS).substring(0, PAYLOAD_CHARS);

  /** Returns the job with these parameters. */
  public static BenchJob of(String payload) {
    return new BenchJob(
        Integer.parseInt(payload, 0, NUMBER_CHARS, 10),
        Long.parseLong(payload, NUMBER_CHARS, NUMBER_CHARS + DUE_CHARS, 10));
  }

  /** Returns the key under which the job is stored. */
  public String key() {
    return "job-" + number;
  }

  /** Returns the parameters of the job. */
  public String payload() {
    String head = String.format(Locale.ROOT, "%09d%014d", number, dueAt);
    return head + FILLER.substring(head.length());
  }
}
