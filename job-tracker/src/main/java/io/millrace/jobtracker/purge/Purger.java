package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Deletes rows whose retention is over, if this tracker has the lowest number of all live trackers.
 * It does no harm if two trackers do so for a while. Driven by one timer, whose runs never overlap.
 */
public final class Purger {
  private final Stores stores;
  private final int self;
  private final LedgerPurge ledger;
  private final DeadPurge dead;
  private final JobLogPurge jobLog;
  private final FeedbackPurge feedback;
  private final WorkerPurge workers;
  private final MinuteCountPurge counts;
  private final AuditPurge audit;
  private final SubmissionPurge submissions;

  /**
   * Makes a purger with the default bounds.
   *
   * @param self the number of this tracker
   */
  public Purger(Stores stores, int self, RetentionConfig config) {
    this(stores, self, config, PurgeBounds.DEFAULT);
  }

  Purger(Stores stores, int self, RetentionConfig config, PurgeBounds portions) {
    this.stores = stores;
    this.self = self;
    this.ledger = new LedgerPurge(stores, config, portions);
    this.dead = new DeadPurge(stores, config, portions);
    this.jobLog = new JobLogPurge(stores, config, portions);
    this.feedback = new FeedbackPurge(stores, config, portions);
    this.workers = new WorkerPurge(stores, portions);
    this.counts = new MinuteCountPurge(stores, portions);
    this.audit = new AuditPurge(stores, config, portions);
    this.submissions = new SubmissionPurge(stores, config, portions);
  }

  /**
   * The number of rows that one run deleted.
   *
   * @param ledgerRows rows of the ledger; their dead triggers are deleted with them and not counted
   * @param deadTriggers dead triggers whose ledger rows had been deleted before
   * @param logLines lines of job logs
   * @param feedback feedback that no client acknowledged
   * @param reports workers that have not pulled for an hour, old per-minute counts, and submission
   *     ids of versions of jobs that were replaced long ago
   * @param auditEntries old entries of the audit
   * @param more whether another run should follow soon
   */
  public record Purged(
      long ledgerRows,
      long deadTriggers,
      long logLines,
      long feedback,
      long reports,
      long auditEntries,
      boolean more) {
    static final Purged NOTHING = new Purged(0, 0, 0, 0, 0, 0, false);

    /** Whether nothing was deleted, though there may be more to do. */
    public boolean isNothing() {
      return LongStream.of(ledgerRows, deadTriggers, logLines, feedback, reports, auditEntries)
          .allMatch(rows -> rows == 0);
    }
  }

  /**
   * Deletes a portion of each kind of rows. A failure on one table does not prevent the others; the
   * exception is thrown at the end, and the next run continues.
   */
  public Purged runOnce(long now) {
    if (!isLowestLive(now)) {
      ledger.restart();
      return Purged.NOTHING;
    }
    List<RuntimeException> failures = new ArrayList<>();
    DeleteResult rows = attempt(failures, () -> ledger.runOnce(now));
    DeleteResult orphans = attempt(failures, () -> dead.runOnce(now));
    DeleteResult lines = attempt(failures, () -> jobLog.runOnce(now));
    DeleteResult untold = attempt(failures, () -> feedback.runOnce(now));
    DeleteResult reports =
        attempt(failures, () -> workers.runOnce(now))
            .plus(attempt(failures, () -> counts.runOnce(now)))
            .plus(attempt(failures, () -> submissions.runOnce(now)));
    DeleteResult entries = attempt(failures, () -> audit.runOnce(now));
    if (!failures.isEmpty()) {
      RuntimeException first = failures.get(0);
      failures.subList(1, failures.size()).forEach(first::addSuppressed);
      throw first;
    }
    return new Purged(
        rows.rows(),
        orphans.rows(),
        lines.rows(),
        untold.rows(),
        reports.rows(),
        entries.rows(),
        rows.plus(orphans).plus(lines).plus(untold).plus(reports).plus(entries).more());
  }

  private boolean isLowestLive(long now) {
    return stores.trackers().live(now).stream().mapToInt(Tracker::number).min().orElse(-1) == self;
  }

  private static DeleteResult attempt(
      List<RuntimeException> failures, Supplier<DeleteResult> portion) {
    try {
      return portion.get();
    } catch (RuntimeException e) {
      failures.add(e);
      return DeleteResult.NOTHING;
    }
  }
}
