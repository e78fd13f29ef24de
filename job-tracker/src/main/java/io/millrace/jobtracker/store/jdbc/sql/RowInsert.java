package io.millrace.jobtracker.store.jdbc.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Inserts or updates rows by statements of many rows each, in a few fixed sizes so that prepared
 * statements are reused: every size up to {@value #EVERY_SIZE_TO}, because a small batch costs
 * little more than its statements, and above that powers of two up to {@value #MAX_ROWS}. A
 * statement stays well below the default packet size of a server, 16 MiB.
 */
public final class RowInsert<T> {
  static final int EVERY_SIZE_TO = 16;
  static final int MAX_ROWS = 128;
  static final int MAX_BYTES = 4 << 20;

  private final IntFunction<String> statementOfRows;
  private final RowColumns<T> columns;
  private final ToIntFunction<T> bytes;

  /**
   * Creates an insert from a statement.
   *
   * @param statementOfRows returns the statement that writes this many rows
   * @param bytes the length of the long values in a row
   */
  public RowInsert(
      IntFunction<String> statementOfRows, RowColumns<T> columns, ToIntFunction<T> bytes) {
    this.statementOfRows = statementOfRows;
    this.columns = columns;
    this.bytes = bytes;
  }

  public static <T> RowInsert<T> into(String table, RowColumns<T> columns, ToIntFunction<T> bytes) {
    return new RowInsert<>(rows -> statement(table, columns.names(), rows), columns, bytes);
  }

  /** Returns an insert of short rows that updates those whose key exists; see {@link Dialect}. */
  public static <T> RowInsert<T> upsert(
      Dialect dialect, String table, RowColumns<T> columns, List<String> key, List<String> sets) {
    return new RowInsert<>(
        rows -> dialect.upsert(table, columns.names(), key, sets, rows), columns, row -> 0);
  }

  public static String statement(String table, List<String> columns, int rows) {
    return "INSERT INTO %s (%s) VALUES %s"
        .formatted(table, String.join(", ", columns), placeholders(columns.size(), rows));
  }

  public static String placeholders(int columns, int rows) {
    String row = "(?" + ", ?".repeat(columns - 1) + ")";
    return row + (", " + row).repeat(rows - 1);
  }

  public void insert(JdbcOperations jdbc, List<T> rows) {
    int unused = update(jdbc, rows);
  }

  /** Runs the statements and returns the sum of their counts, which is meaningless for inserts. */
  public int update(JdbcOperations jdbc, List<T> rows) {
    return chunks(rows).stream().mapToInt(chunk -> updateChunk(jdbc, chunk)).sum();
  }

  private int updateChunk(JdbcOperations jdbc, List<T> chunk) {
    return jdbc.update(
        statementOfRows.apply(chunk.size()),
        statement -> {
          int last = 0;
          for (T row : chunk) {
            last = columns.bind(row, statement, last);
          }
        });
  }

  List<List<T>> chunks(List<T> rows) {
    List<List<T>> chunks = new ArrayList<>();
    for (int from = 0; from < rows.size(); ) {
      int size = sizeWithin(fitting(rows, from));
      chunks.add(rows.subList(from, from + size));
      from += size;
    }
    return chunks;
  }

  /** The largest size that does not exceed this many rows. */
  private static int sizeWithin(int rows) {
    return rows <= EVERY_SIZE_TO ? rows : Integer.highestOneBit(rows);
  }

  /** Returns how many rows from this one on fit into one statement: at least one. */
  private int fitting(List<T> rows, int from) {
    int limit = Math.min(MAX_ROWS, rows.size() - from);
    long total = 0;
    int count = 0;
    while (count < limit && total <= MAX_BYTES) {
      total += bytes.applyAsInt(rows.get(from + count));
      count++;
    }
    return total > MAX_BYTES && count > 1 ? count - 1 : count;
  }
}
