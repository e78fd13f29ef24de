package io.millrace.jobtracker.purge;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.jobtracker.store.result.JobResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** Base of the purge's tests: one live tracker that purges, and rows of any age. */
abstract class PurgeTest extends ServiceTest {
  static final Duration DAY = Duration.ofDays(1);
  static final Duration MILLISECOND = Duration.ofMillis(1);

  /**
   * 30 days or 1,000 rows of the ledger, 40 days of the audit, 35 days of counts, 7 days of the
   * rest.
   */
  static final RetentionConfig CONFIG =
      new RetentionConfig(
          DAY.multipliedBy(30),
          1_000,
          DAY.multipliedBy(7),
          DAY.multipliedBy(7),
          DAY.multipliedBy(7),
          DAY.multipliedBy(40),
          DAY.multipliedBy(35));

  private static final int MOST_RUNS = 1_000;

  FaultyTransactions transactions;
  int self;
  private long serial;

  @BeforeEach
  void beLive() {
    transactions = new FaultyTransactions(stores.transactions());
    self = anotherLiveTracker(DAY.multipliedBy(3_650)).number();
  }

  /** A tracker whose lease runs out after this. */
  TrackerStore.Tracker anotherLiveTracker(Duration lease) {
    serial++;
    return stores
        .trackers()
        .acquire(
            "tracker-" + serial, "host:" + serial, time.millis(), time.millis() + lease.toMillis());
  }

  /** A purger that does little in a run: 10 rows a transaction, 3 of them, 300 rows counted. */
  Purger purger() {
    return purger(self, new PurgeBounds(10, 3, 300));
  }

  Purger purger(int number, PurgeBounds portions) {
    return new Purger(FaultyTransactions.around(stores, transactions), number, CONFIG, portions);
  }

  /** Runs until there is no more, and returns the rows of the ledger that were deleted. */
  long runAll(Purger purger) {
    long deleted = 0;
    for (int runs = 0; runs < MOST_RUNS; runs++) {
      Purger.Purged last = purger.runOnce(time.millis());
      deleted += last.rows().getOrDefault("the ledger", 0L);
      if (!last.more()) {
        return deleted;
      }
    }
    throw new AssertionError("there is always more");
  }

  /** The ledger has rows of executions that were claimed and ended this long ago. */
  List<Long> ended(int count, Duration ago) {
    return ended(count, ago, ago);
  }

  List<Long> ended(int count, Duration claimedAgo, Duration endedAgo) {
    List<LedgerEntry> rows =
        IntStream.range(0, count)
            .mapToObj(i -> row(newId(claimedAgo), time.millis() - endedAgo.toMillis()))
            .toList();
    stores.ledger().append(rows);
    return rows.stream().map(LedgerEntry::id).toList();
  }

  /** The ledger has rows of triggers that died this long ago, and what is kept of them is there. */
  List<Long> died(int count, Duration ago) {
    List<Long> ids = ended(count, ago);
    long diedAt = time.millis() - ago.toMillis();
    stores.dead().append(ids.stream().map(id -> dead(id, diedAt)).toList());
    return ids;
  }

  /** The ledger has rows of executions that ended this long ago and returned a value. */
  List<Long> returned(int count, Duration ago) {
    List<Long> ids = ended(count, ago);
    long endedAt = time.millis() - ago.toMillis();
    stores.results().append(ids.stream().map(id -> new JobResult(id, endedAt, "1")).toList());
    return ids;
  }

  /** Executions whose results are kept. */
  List<Long> resultIds() {
    return stores.results().findEndedBefore(Long.MAX_VALUE, Long.MAX_VALUE, 10_000);
  }

  private static DeadTrigger dead(long id, long diedAt) {
    return new DeadTrigger(
        id,
        "orders",
        new TriggerCore(TriggerKey.planned("poll", diedAt), 7, 1, diedAt, 1),
        100,
        diedAt,
        null,
        null,
        StoredParams.NONE,
        null,
        null,
        id % 2 == 0 ? null : new DeadTrigger.Settlement(diedAt, "operator/ann", null));
  }

  /** Ids of the dead triggers that are kept. */
  List<Long> deadIds() {
    return stores.dead().findDiedBefore(Long.MAX_VALUE, 10_000).stream().sorted().toList();
  }

  /** Ids of the rows that the ledger has. */
  List<Long> ledgerIds() {
    return stores.ledger().readAfter(Long.MIN_VALUE, 10_000).stream().map(LedgerEntry::id).toList();
  }

  /** Lines of one execution that was claimed this long ago, logged just now. */
  long logged(int lines, Duration claimedAgo) {
    long execution = newId(claimedAgo);
    stores
        .jobLog()
        .append(
            IntStream.rangeClosed(1, lines)
                .mapToObj(i -> new LogLine(execution, i, time.now(), LogLevel.INFO, "line"))
                .toList());
    return execution;
  }

  /** Feedback that has waited this long. */
  void untold(String clientGroup, int count, Duration age) {
    stores
        .feedback()
        .append(
            IntStream.range(0, count)
                .mapToObj(i -> new Feedback(newId(age), clientGroup, result("task-" + i)))
                .toList());
  }

  /** Changes that operators asked for this long ago; their ids, oldest first. */
  List<Long> audited(int count, Duration ago) {
    return IntStream.range(0, count).mapToObj(i -> audited(ago)).toList();
  }

  private long audited(Duration ago) {
    long id = newId(ago);
    long askedAt = time.millis() - ago.toMillis();
    stores
        .console()
        .audit()
        .append(
            new AuditStore.Entry(
                id, askedAt, "ann", Role.OPERATE, "::1", "pauseJob", "/", null, null, 200, null));
    return id;
  }

  /** Ids of the entries that the audit has, oldest first. */
  List<Long> auditIds() {
    return stores
        .console()
        .audit()
        .search(
            new AuditStore.Query(null, null, null),
            AgeOrder.NEWEST_FIRST,
            Long.MAX_VALUE,
            1_000,
            1_000)
        .entries()
        .stream()
        .map(AuditStore.Entry::id)
        .sorted()
        .toList();
  }

  /** An id issued this long ago, above those of the same instant before it. */
  private long newId(Duration ago) {
    return IdSequence.lowestAt(time.millis() - ago.toMillis()) + serial++;
  }

  private static TriggerResult result(String taskId) {
    return new TriggerResult(
        "orders", taskId, Instant.EPOCH, 0, Disposition.DEAD, 1, null, Instant.EPOCH);
  }

  private static LedgerEntry row(long id, long finishedAt) {
    return new LedgerEntry(
        id,
        "orders",
        new TriggerCore(TriggerKey.oneShot("task-" + id), id, 0, finishedAt, 1),
        LedgerStatus.SUCCEEDED,
        true,
        null,
        finishedAt,
        1,
        new Times(finishedAt, finishedAt, finishedAt, finishedAt, finishedAt),
        "worker-1",
        null,
        new Origin(null, "submission-" + id, "client-1", null, null));
  }
}
