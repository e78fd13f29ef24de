package io.millrace.jobtracker.purge;

import io.millrace.internal.config.Check;
import java.time.Duration;

/**
 * How long the ledger, job logs, feedback, parts of runs, the audit and counts are kept.
 *
 * @param ledgerKeep how long a row of the ledger is kept after its end was recorded, 2 to 36,525
 *     days; 30 days by default
 * @param ledgerMaxRows the approximate number of ledger rows kept, 1,000 to 10^12, 10,000,000 by
 *     default: if there are more, the oldest are deleted early, but none younger than {@link
 *     #LEAST_LEDGER_KEEP}
 * @param jobLogKeep how long after its claim the lines of an execution are kept, 1 hour to 36,525
 *     days; 7 days by default
 * @param feedbackKeep how long feedback waits for a client group to acknowledge it, 1 hour to
 *     36,525 days; 7 days by default
 * @param batchKeep how long after its end the parts of a run that was split are kept, for a replay
 *     to take over what succeeded, 1 hour to 36,525 days; 7 days by default
 * @param auditKeep how long entries of the audit and the latest versions of jobs are kept, 1 day to
 *     36,525 days; 400 days by default, so that a full year can be reviewed
 * @param countsKeep how long the counts of an hour are kept, 2 to 36,525 days; 35 days by default,
 *     which is more than the weeks that the console shows
 */
public record RetentionConfig(
    Duration ledgerKeep,
    long ledgerMaxRows,
    Duration jobLogKeep,
    Duration feedbackKeep,
    Duration batchKeep,
    Duration auditKeep,
    Duration countsKeep) {

  /**
   * The shortest time for which a ledger row is kept (2 days). A client resends a submit for as
   * long as its outbox keeps it, at most {@code OutboxConfig.MAX_AGE} (36 hours), and the
   * submission id of that row may be all that prevents a second run.
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
          Duration.ofDays(7),
          Duration.ofDays(400),
          Duration.ofDays(35));

  public RetentionConfig {
    Check.that(
        ledgerKeep.compareTo(LEAST_LEDGER_KEEP) >= 0,
        "ledger.keep must be at least 2 days, or a submit that a client repeats after a day"
            + " could run twice");
    Check.that(ledgerKeep.compareTo(LONGEST_KEEP) <= 0, "ledger.keep must be at most 36525 days");
    Check.that(
        ledgerMaxRows >= LEAST_LEDGER_ROWS && ledgerMaxRows <= MOST_LEDGER_ROWS,
        "ledger.max-rows must be between 1000 and 1000000000000");
    requireKeep("job-log.keep", jobLogKeep);
    requireKeep("feedback.keep", feedbackKeep);
    requireKeep("batch.keep", batchKeep);
    Check.that(
        auditKeep.compareTo(LEAST_AUDIT_KEEP) >= 0 && auditKeep.compareTo(LONGEST_KEEP) <= 0,
        "audit.keep must be between 1 day and 36525 days");
    Check.that(
        countsKeep.compareTo(Purger.KEEP_MINUTES) >= 0 && countsKeep.compareTo(LONGEST_KEEP) <= 0,
        "counts.keep must be between 2 days and 36525 days");
  }

  private static void requireKeep(String key, Duration keep) {
    Check.that(
        keep.compareTo(LEAST_KEEP) >= 0 && keep.compareTo(LONGEST_KEEP) <= 0,
        key + " must be between 1 hour and 36525 days");
  }
}
