package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.database.RowCopies;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

/** Fills a waiting table in SQL: each step copies the rows of a tracker as other one-shots. */
final class WaitingCopies {
  /** How much earlier the ids of a copy are; longer than the first rows took to be written. */
  private static final long STEP_MILLIS = Duration.ofMinutes(10).toMillis();

  private final RowCopies copies;
  private final Consumer<String> progress;

  WaitingCopies(RowCopies copies, Consumer<String> progress) {
    this.copies = copies;
    this.progress = progress;
  }

  /** Copies the rows of a table, all of them one-shots, until it has this number of rows. */
  void fill(String table, long rows) throws SQLException {
    long last = copies.number("SELECT MAX(id) FROM " + table);
    long first = copies.number("SELECT COUNT(*) FROM " + table);
    long present = first;
    for (int step = 1; present < rows; step++) {
      int number = step;
      long copied =
          copies.copy(
              table, "id", last, Math.min(first, rows - present), column -> value(column, number));
      if (copied == 0) {
        throw new IllegalStateException(table + " has no rows to copy");
      }
      present += copied;
      progress.accept(present + " rows wait");
    }
    copies.refreshStatistics(table);
  }

  private static String value(String column, int step) {
    return switch (column) {
      case "id", "job_id" -> RowCopies.idBefore(column, step * STEP_MILLIS);
      case "task_id" -> "CONCAT('%d-', task_id)".formatted(step);
      case "planned_for", "due_at" -> column + " + " + step;
      default -> column;
    };
  }
}
