package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.console.ConsoleStores;
import io.millrace.jobtracker.store.result.JobResultStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Deletes rows whose retention is over, if this tracker has the lowest number of all live trackers.
 * It does no harm if two trackers do so for a while. Driven by one timer, whose runs never overlap.
 */
public final class Purger {
  /** How long the counts of a minute are kept; then they are added to those of its hour. */
  static final Duration KEEP_MINUTES = Duration.ofDays(2);

  /** How long a declaration is known by its id; no client sends a page again for so long. */
  static final Duration KEEP_DECLARATIONS = Duration.ofDays(2);

  private final Stores stores;
  private final int self;
  private final PurgeBounds portions;
  private final LedgerPurge ledger;
  private final List<Kind> kinds;

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
    this.portions = portions;
    this.ledger = new LedgerPurge(stores, config, portions);
    ConsoleStores console = stores.console();
    long ledgerKeep = config.ledgerKeep().toMillis();
    long jobLogKeep = config.jobLogKeep().toMillis();
    long countsKeep = config.countsKeep().toMillis();
    List<Kind> others =
        List.of(
            new Kind("the ledger", ledger::runOnce),
            byAge("dead triggers", (now, limit) -> deleteDead(now - ledgerKeep, limit)),
            byAge("results", (now, limit) -> deleteResults(now - ledgerKeep, limit)),
            new Kind("what runs kept", new KeptPurge(stores, portions)::runOnce),
            new Kind("parts", new PartPurge(stores, config.batchKeep(), portions)::runOnce),
            byAge(
                "job logs",
                (now, limit) ->
                    stores.jobLog().deleteBelow(IdSequence.lowestAt(now - jobLogKeep), limit)),
            new Kind("feedback", new FeedbackPurge(stores, config, portions)::runOnce),
            new Kind("workers", new WorkerPurge(stores, portions)::runOnce),
            byAge(
                "the counts of minutes",
                (now, limit) ->
                    console.fleet().counts().moveToHours(now - KEEP_MINUTES.toMillis(), limit)),
            byAge(
                "the counts of hours",
                (now, limit) ->
                    console.fleet().counts().deleteHoursBefore(now - countsKeep, limit)),
            byAge(
                "the submissions of former versions",
                (now, limit) -> stores.jobs().forgetSubmissions(now - ledgerKeep, limit, now)),
            byAge("relays", (now, limit) -> stores.relays().forget(now - ledgerKeep, limit)),
            byAge(
                "old declarations",
                (now, limit) ->
                    stores.declared().forget(now - KEEP_DECLARATIONS.toMillis(), limit)));
    this.kinds = Stream.concat(others.stream(), changes(config.auditKeep().toMillis())).toList();
  }

  /** What says who changed what. */
  private Stream<Kind> changes(long keep) {
    return Stream.of(
        byAge(
            "versions of jobs", (now, limit) -> stores.versions().deleteBefore(now - keep, limit)),
        byAge(
            "bulk changes",
            (now, limit) -> stores.console().bulkChanges().deleteEndedBefore(now - keep, limit)),
        byAge(
            "the audit",
            (now, limit) ->
                stores.console().audit().deleteBelow(IdSequence.lowestAt(now - keep), limit)));
  }

  /** Rows of one kind, and how to delete a portion of them. */
  private record Kind(String name, LongFunction<DeleteResult> portion) {}

  /** Deletes up to so many rows that are too old now, and returns how many they were. */
  @FunctionalInterface
  private interface Chunk {
    int delete(long now, int limit);
  }

  /** Rows that are deleted by their age alone, each chunk in a transaction of its own. */
  private Kind byAge(String name, Chunk oldest) {
    return new Kind(
        name,
        now ->
            portions.delete(
                () ->
                    stores
                        .transactions()
                        .repeating("purge " + name, () -> oldest.delete(now, portions.chunk()))));
  }

  /** Deletes those whose rows of the ledger others have deleted: the rest go with their rows. */
  private int deleteDead(long before, int limit) {
    DeadStore dead = stores.dead();
    List<Long> old = dead.findDiedBefore(before, limit);
    return old.isEmpty() ? 0 : dead.delete(old);
  }

  /** Deletes those whose rows of the ledger others have deleted: the rest go with their rows. */
  private int deleteResults(long before, int limit) {
    JobResultStore results = stores.results();
    List<Long> old = results.findEndedBefore(IdSequence.lowestAt(before), before, limit);
    return old.isEmpty() ? 0 : results.delete(old);
  }

  /**
   * What one run deleted.
   *
   * @param rows how many rows of each kind; the dead triggers and results that go with rows of the
   *     ledger are not counted
   * @param more whether another run should follow soon
   */
  public record Purged(Map<String, Long> rows, boolean more) {
    static final Purged NOTHING = new Purged(Map.of(), false);

    /** Whether nothing was deleted, though there may be more to do. */
    public boolean isNothing() {
      return rows.isEmpty();
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
    Map<String, Long> rows = new LinkedHashMap<>();
    boolean more = false;
    RuntimeException failure = null;
    for (Kind kind : kinds) {
      try {
        DeleteResult deleted = kind.portion().apply(now);
        more |= deleted.more();
        if (deleted.rows() > 0) {
          rows.put(kind.name(), deleted.rows());
        }
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return new Purged(rows, more);
  }

  private boolean isLowestLive(long now) {
    return stores.liveTrackers().at(now).stream().mapToInt(Tracker::number).min().orElse(-1)
        == self;
  }
}
