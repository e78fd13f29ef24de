package io.millrace.scripts.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Prints rows under headings. Never truncates a value; does not pad the last column. Not
 * thread-safe while columns are added.
 *
 * @param <R> a row
 */
public final class Table<R> {
  private static final String GAP = "  ";

  private final List<Column<R>> columns = new ArrayList<>();

  private record Column<R>(String heading, boolean right, Function<R, @Nullable Object> value) {}

  /** Adds a column of texts. */
  public Table<R> text(String heading, Function<R, @Nullable Object> value) {
    columns.add(new Column<>(heading, false, value));
    return this;
  }

  /** Adds a column of numbers, aligned to the right. */
  public Table<R> number(String heading, Function<R, @Nullable Object> value) {
    columns.add(new Column<>(heading, true, value));
    return this;
  }

  /** Starts printing rows, page by page. */
  public Printer on(PrintWriter out) {
    return new Printer(out);
  }

  /** Prints the pages of one table. The headings are printed with the first row. */
  public final class Printer {
    private final PrintWriter out;
    private final int[] widths = new int[columns.size()];
    private boolean begun;

    private Printer(PrintWriter out) {
      this.out = out;
    }

    /** Prints more rows; columns may widen with later pages but never narrow. */
    public void print(List<R> rows) {
      if (rows.isEmpty()) {
        return;
      }
      List<List<String>> lines = new ArrayList<>();
      if (!begun) {
        begun = true;
        lines.add(columns.stream().map(Column::heading).toList());
      }
      rows.forEach(row -> lines.add(cells(row)));
      lines.forEach(this::widen);
      lines.forEach(cells -> out.println(line(cells)));
      out.flush();
    }

    private List<String> cells(R row) {
      return columns.stream().map(column -> Cell.of(column.value().apply(row))).toList();
    }

    private void widen(List<String> cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Cell.width(cells.get(i)));
      }
    }

    private String line(List<String> cells) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = cells.get(i);
        String blanks = " ".repeat(widths[i] - Cell.width(cell));
        line.append(i == 0 ? "" : GAP)
            .append(columns.get(i).right() ? blanks + cell : cell + blanks);
      }
      return line.toString().stripTrailing();
    }
  }
}
