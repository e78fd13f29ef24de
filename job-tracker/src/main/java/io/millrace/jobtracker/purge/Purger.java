package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Deletes rows whose retention is over, if this tracker has the lowest number of all live trackers.
 * It does no harm if two trackers do so for a while. Driven by one timer, whose runs never overlap.
 */
public final class Purger {
  /** How long the counts of a minute are kept; no page shows older ones. */
  static final Duration KEEP_COUNTS = Duration.ofDays(2);

  private final Stores stores;
  private final int self;
  private final LedgerPurge ledger;
  private final FeedbackPurge feedback;
  private final WorkerPurge workers;
  private final AgePurge dead;
  private final AgePurge jobLog;
  private final AgePurge counts;
  private final AgePurge audit;
  private final AgePurge submissions;

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
    this.feedback = new FeedbackPurge(stores, config, portions);
    this.workers = new WorkerPurge(stores, portions);
    Transactions transactions = stores.transactions();
    MinuteCountStore minutes = stores.console().fleet().counts();
    long ledgerKeep = config.ledgerKeep().toMillis();
    long jobLogKeep = config.jobLogKeep().toMillis();
    long auditKeep = config.auditKeep().toMillis();
    this.dead =
        new AgePurge(
            transactions,
            "purge dead triggers",
            portions,
            (now, limit) -> deleteDead(stores.dead(), now - ledgerKeep, limit));
    this.jobLog =
        new AgePurge(
            transactions,
            "purge job logs",
            portions,
            (now, limit) ->
                stores.jobLog().deleteBelow(IdSequence.lowestAt(now - jobLogKeep), limit));
    this.counts =
        new AgePurge(
            transactions,
            "purge the counts of minutes",
            portions,
            (now, limit) -> minutes.deleteBefore(now - KEEP_COUNTS.toMillis(), limit));
    this.audit =
        new AgePurge(
            transactions,
            "purge the audit",
            portions,
            (now, limit) ->
                stores.console().audit().deleteBelow(IdSequence.lowestAt(now - auditKeep), limit));
    this.submissions =
        new AgePurge(
            transactions,
            "purge the submissions of former versions",
            portions,
            (now, limit) -> stores.jobs().forgetSubmissions(now - ledgerKeep, limit, now));
  }

  /** Deletes those whose rows of the ledger others have deleted: the rest go with their rows. */
  private static int deleteDead(DeadStore dead, long before, int limit) {
    List<Long> old = dead.findDiedBefore(before, limit);
    return old.isEmpty() ? 0 : dead.delete(old);
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
