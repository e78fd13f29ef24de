package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.MillraceTables;
import io.millrace.benchmarks.contender.Part;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.contender.Runs;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.contender.Submitter;
import io.millrace.benchmarks.contender.Tables;
import io.millrace.benchmarks.contender.Workers;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.database.MillraceUrl;
import io.millrace.benchmarks.database.RowCopies;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.pages.LedgerCopies;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Fills an empty database: a tracker in this process writes the first rows, and the others are
 * copies. The rows that wait are due in a month or later.
 */
final class FilledStore {
  private static final Duration FILLING = Duration.ofHours(6);

  /** The room that a row takes with its indexes, roughly. */
  private static final long BYTES_OF_ROW = 800;

  private static final double GIBIBYTE = 1 << 30;

  /** Numbers of jobs, above those of the jobs that are measured. */
  private static final int FIRST_OF_LEDGER = 800_000_000;

  private static final int FIRST_WAITING = 900_000_000;

  private static final long DUE_IN_DAYS = 30;
  private static final long DUE_WITHIN_DAYS = 10;

  private final Bench bench;
  private final Fresh database;

  FilledStore(Bench bench, Fresh database) {
    this.bench = bench;
    this.database = database;
  }

  /**
   * Checks that the disk has room for these rows.
   *
   * @throws ContenderFailedException if it has not
   */
  static void requireRoom(Bench bench, long rows) throws IOException {
    long free = Files.getFileStore(bench.directory()).getUsableSpace();
    long needed = rows * BYTES_OF_ROW;
    if (free < needed) {
      throw new ContenderFailedException(
          "%,d rows take about %.1f GiB in %s, which has %.1f: fill in fewer with --waiting and --ended, or set java.io.tmpdir"
              .formatted(rows, needed / GIBIBYTE, bench.directory(), free / GIBIBYTE),
          null);
    }
  }

  /**
   * Fills the database.
   *
   * @param waiting the number of rows that wait
   * @param ended the number of rows of the ledger
   */
  void fill(long waiting, long ended) throws Exception {
    int ran = (int) Math.min(bench.plan().firstRows(), ended);
    int waits = (int) Math.min(bench.plan().firstRows(), waiting);
    writeFirst(ran, waits);
    long begin = WallClock.nanoTime();
    Consumer<String> progress = line -> progress(line, begin);
    String url = MillraceUrl.of(database.url());
    try (Connection connection = DriverManager.getConnection(url, database.user(), "")) {
      copy(connection, progress, waiting, ended, ran);
    }
  }

  private void copy(
      Connection connection, Consumer<String> progress, long waiting, long ended, int ran)
      throws SQLException, InterruptedException {
    RowCopies copies = new RowCopies(connection);
    if (bench.kind().isServer()) {
      // The server would otherwise write each row into its log of changes too.
      copies.execute("SET SESSION sql_log_bin = 0");
    }
    if (waiting > 0) {
      new WaitingCopies(copies, progress).fill(MillraceTables.waiting(0), waiting);
    }
    if (ended > 0) {
      LedgerCopies.ofOtherOneShots(connection, bench.plan().copiedRows(), progress)
          .fill(ended, ran);
    }
  }

  /** Called after each step, so that what takes too long ends. */
  private void progress(String line, long begin) {
    bench.say("%s", line);
    if (WallClock.nanoTime() - begin > FILLING.toNanos()) {
      throw new ContenderFailedException(
          "%s after %d h, which is too slow".formatted(line, FILLING.toHours()), null);
    }
  }

  private void writeFirst(int ran, int waits) throws Exception {
    Part part = PartKind.MILLRACE_IN_ONE_PROCESS.make();
    try {
      String unused = part.open(bench.place(database));
      Runs.begin(0);
      submit(part, jobs(FIRST_OF_LEDGER, ran));
      Workers workers = (Workers) part;
      workers.startWorkers();
      Bench.await(
          () -> ran == 0 || unfinished((Tables) part) == 0,
          () -> "the first %d jobs had not all run".formatted(ran));
      workers.stopWorkers();
      submit(
          part,
          jobs(FIRST_WAITING, waits)
              .due(
                  WallClock.millis() + TimeUnit.DAYS.toMillis(DUE_IN_DAYS),
                  (int) TimeUnit.DAYS.toMillis(DUE_WITHIN_DAYS)));
    } finally {
      part.close();
    }
  }

  private static Submission jobs(int from, int count) {
    return Submission.now(
        from, count, ScalePlan.SUBMITTERS, ScalePlan.BATCH, Bench.PATIENCE.toMillis());
  }

  private static void submit(Part part, Submission jobs) throws Exception {
    Submitted submitted = SubmissionRun.run((Submitter) part, jobs);
    if (submitted.count() < jobs.count()) {
      throw new ContenderFailedException(
          "accepted only %d of %d jobs".formatted(submitted.count(), jobs.count()), null);
    }
  }

  private static long unfinished(Tables tables) {
    try {
      return tables.unfinished(WallClock.millis());
    } catch (Exception e) {
      throw new ContenderFailedException("cannot read the tables", e);
    }
  }
}
