package io.millrace.jobtracker.purge;

import java.time.Duration;

/**
 * How long things that have ended are kept.
 *
 * @param ledgerKeep how long a row of the ledger is kept after its end was recorded, 2 to 36,525
 *     days; 30 days by default
 * @param ledgerMaxRows about how many rows of the ledger are kept, 1,000 to 10^12, 10,000,000 by
 *     default: the oldest of more are deleted early, but none that is younger than {@link
 *     #LEAST_LEDGER_KEEP}
 * @param jobLogKeep how long after its claim the lines of an execution are kept, 1 hour to 36,525
 *     days; 7 days by default
 * @param feedbackKeep how long feedback waits for a client group to acknowledge it, 1 hour to
 *     36,525 days; 7 days by default
 * @param auditKeep how long entries of the audit are kept, 1 day to 36,525 days; 400 days by
 *     default, so that a year can be looked back upon
 */
public record RetentionConfig(
    Duration ledgerKeep,
    long ledgerMaxRows,
    Duration jobLogKeep,
    Duration feedbackKeep,
    Duration auditKeep) {

  /**
   * No row of the ledger is deleted before this (2 days). A client sends a submit again for as long
   * as its outbox keeps it, {@code OutboxConfig.MAX_AGE} at most (36 hours), and all that keeps it
   * from running twice may be the submission id of that row.
   */
  public static final Duration LEAST_LEDGER_KEEP = Duration.ofDays(2);

  public static final long LEAST_LEDGER_ROWS = 1_000;
  public static final long MOST_LEDGER_ROWS = 1_000_000_000_000L;

  private static final Duration LEAST_KEEP = Duration.ofHours(1);
  private static final Duration LEAST_AUDIT_KEEP = Duration.ofDays(1);
  private static final Duration LONGEST_KEEP = Duration.ofDays(36_525);

  public static final RetentionConfig DEFAULT =
      new RetentionConfig(
          Duration.ofDays(30),
          10_000_000,
          Duration.ofDays(7),
          Duration.ofDays(7),
          Duration.ofDays(400));

  public RetentionConfig {
    require(
        ledgerKeep.compareTo(LEAST_LEDGER_KEEP) >= 0,
        "ledger.keep is at least 2 days, or a submit that a client sends again after a day might"
            + " run twice");
    require(ledgerKeep.compareTo(LONGEST_KEEP) <= 0, "ledger.keep is at most 36525 days");
    require(
        ledgerMaxRows >= LEAST_LEDGER_ROWS && ledgerMaxRows <= MOST_LEDGER_ROWS,
        "ledger.max-rows is 1000 to 1000000000000");
    requireKeep("job-log.keep", jobLogKeep);
    requireKeep("feedback.keep", feedbackKeep);
    require(
        auditKeep.compareTo(LEAST_AUDIT_KEEP) >= 0 && auditKeep.compareTo(LONGEST_KEEP) <= 0,
        "audit.keep is 1 day to 36525 days");
  }

  private static void requireKeep(String key, Duration keep) {
    require(
        keep.compareTo(LEAST_KEEP) >= 0 && keep.compareTo(LONGEST_KEEP) <= 0,
        key + " is 1 hour to 36525 days");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }
}
