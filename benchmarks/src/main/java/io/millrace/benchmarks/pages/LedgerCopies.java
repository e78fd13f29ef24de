package io.millrace.benchmarks.pages;

import io.millrace.benchmarks.database.RowCopies;
import io.millrace.benchmarks.measure.WallClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Fills a ledger in SQL: copies its rows, and the rows of dead triggers and of counts beside it, as
 * if the same had happened before. Each step copies all rows that are there to an earlier time, so
 * that it doubles them, until a step has many rows; then each further step copies as many.
 */
public final class LedgerCopies {
  /** How far apart the copies are; longer than the first rows took to be written. */
  private static final long STEP_MILLIS = Duration.ofMinutes(10).toMillis();

  /** With more rows than these, steps no longer double: transactions stay small. */
  private static final long MANY = 1_000_000;

  private static final Duration ENDS_ARE_WRITTEN = Duration.ofMinutes(1);
  private static final long LOOK_AGAIN_MILLIS = 20;

  /** Instants that are moved; an instant of 0 or null stays. */
  private static final Set<String> INSTANTS =
      Set.of(
          "planned_at",
          "planned_for",
          "planned_to",
          "due_at",
          "generated_at",
          "claimed_at",
          "started_at",
          "finished_at",
          "died_at",
          "minute_at");

  private final Connection connection;
  private final RowCopies copies;
  private final boolean otherOneShots;
  private final long many;
  private final Consumer<String> progress;

  private LedgerCopies(
      Connection connection, boolean otherOneShots, long many, Consumer<String> progress) {
    this.connection = connection;
    this.copies = new RowCopies(connection);
    this.otherOneShots = otherOneShots;
    this.many = many;
    this.progress = progress;
  }

  /** Creates copies that belong to the same jobs. */
  static LedgerCopies ofSameJobs(Connection connection, Consumer<String> progress) {
    return new LedgerCopies(connection, false, MANY, progress);
  }

  /**
   * Creates copies of one-shots that are runs of other one-shots, each with a task id and a
   * submission of its own.
   *
   * @param many the number of rows with which steps no longer double
   */
  public static LedgerCopies ofOtherOneShots(
      Connection connection, long many, Consumer<String> progress) {
    return new LedgerCopies(connection, true, many, progress);
  }

  /** A table, the rows of it that are copied, and how many these are. */
  private record Source(String table, String order, long last, long rows) {
    Source withRows(long more) {
      return new Source(table, order, last, rows + more);
    }
  }

  /**
   * Copies until the ledger has at least this number of rows.
   *
   * @param first rows that it will have by itself, which are waited for: jobs have run before their
   *     ends are in the ledger
   */
  public void fill(long rows, long first) throws SQLException, InterruptedException {
    // Otherwise MySQL keeps the tracker from adding rows while it copies.
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    long present = awaitRows(first);
    Source ledger = source("jt_history", "id");
    Source dead = source("jt_dead", "id");
    Source counts = source("jt_minute_count", "minute_at");
    long span = STEP_MILLIS;
    long shift = span;
    while (present < rows) {
      long copied = copy(ledger, shift, Math.min(ledger.rows(), rows - present));
      if (copied == 0) {
        throw new IllegalStateException("the ledger has no rows to copy");
      }
      long copiedDead = copy(dead, shift, dead.rows());
      long copiedCounts = copy(counts, shift, counts.rows());
      present += copied;
      if (present <= many) {
        ledger = ledger.withRows(copied);
        dead = dead.withRows(copiedDead);
        counts = counts.withRows(copiedCounts);
        span *= 2;
        shift = span;
      } else {
        shift += span;
      }
      progress.accept(present + " rows of the ledger");
    }
    copies.refreshStatistics("jt_history", "jt_dead", "jt_minute_count");
  }

  /**
   * The rows of a table at this moment. What comes later is left out: the tracker adds rows
   * meanwhile, whose copies could be those of others.
   */
  private Source source(String table, String order) throws SQLException {
    long last = copies.number("SELECT COALESCE(MAX(%s), 0) FROM %s".formatted(order, table));
    long rows =
        copies.number("SELECT COUNT(*) FROM %s WHERE %s <= %d".formatted(table, order, last));
    return new Source(table, order, last, rows);
  }

  private long copy(Source source, long shift, long most) throws SQLException {
    return copies.copy(
        source.table(), source.order(), source.last(), most, column -> value(column, shift));
  }

  private String value(String column, long shift) {
    if (column.equals("id")) {
      return RowCopies.idBefore(column, shift);
    }
    if (otherOneShots && column.equals("job_id")) {
      return ofOneShots(RowCopies.idBefore(column, shift), column);
    }
    if (otherOneShots && List.of("task_id", "submission_id").contains(column)) {
      // The number comes first, so that the copies of a step are together in an index.
      String named = "CONCAT('%d-', %s)".formatted(shift / STEP_MILLIS, column);
      return ofOneShots(named, column);
    }
    return INSTANTS.contains(column)
        ? "CASE WHEN %s > 0 THEN %s - %d ELSE %s END".formatted(column, column, shift, column)
        : column;
  }

  private static String ofOneShots(String value, String column) {
    return "CASE WHEN job_version = 0 THEN %s ELSE %s END".formatted(value, column);
  }

  private long awaitRows(long least) throws SQLException, InterruptedException {
    long deadline = WallClock.nanoTime() + ENDS_ARE_WRITTEN.toNanos();
    while (true) {
      long present = copies.number("SELECT COUNT(*) FROM jt_history");
      if (present >= least) {
        return present;
      }
      if (WallClock.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the ledger has %d rows of %d after %s".formatted(present, least, ENDS_ARE_WRITTEN));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
    }
  }
}
