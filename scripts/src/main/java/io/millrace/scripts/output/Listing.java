package io.millrace.scripts.output;

import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.option.PageOptions.Pages;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows one page or all pages of a list of the API. Immutable.
 *
 * @param <P> a page of the API
 * @param <R> a row
 */
public final class Listing<P, R> {
  private static final String USUAL_CURSOR = "after";

  private final Class<P> type;
  private final Function<P, List<R>> items;
  private final Function<P, @Nullable String> next;
  private final Table<R> table;
  private final String cursor;

  /** Creates a list whose page cursor is the parameter {@code after}. */
  public Listing(
      Class<P> type,
      Function<P, List<R>> items,
      Function<P, @Nullable String> next,
      Table<R> table) {
    this(type, items, next, table, USUAL_CURSOR);
  }

  /**
   * Creates a list.
   *
   * @param cursor name of the query parameter for the page cursor
   */
  public Listing(
      Class<P> type,
      Function<P, List<R>> items,
      Function<P, @Nullable String> next,
      Table<R> table,
      String cursor) {
    this.type = type;
    this.items = items;
    this.next = next;
    this.table = table;
    this.cursor = cursor;
  }

  /** Requests and shows the pages that the options select; returns the exit code. */
  public int show(PageOptions options, ApiPath path) throws InterruptedException {
    return show(options.operator(), path, options.pages());
  }

  int show(Operator operator, ApiPath path, Pages pages) throws InterruptedException {
    Output output = operator.output();
    Table<R>.Printer printer = table.on(output.out());
    ApiPath list = path.with("limit", pages.limit());
    String place = pages.after();
    long shown = 0;
    try (Progress progress = output.progressOfPrinting("rows")) {
      do {
        Answer<P> page = ask(operator, list, place, shown > 0);
        List<R> rows = items.apply(page.value());
        output.show(page, (value, out) -> printer.print(rows));
        shown += rows.size();
        progress.to(shown);
        place = next.apply(page.value());
      } while (pages.all() && place != null && !output.isLeft());
    }
    if (!output.isJson()) {
      sayWhatIsLeft(output, shown, place);
    }
    return ExitCode.OK;
  }

  private Answer<P> ask(Operator operator, ApiPath list, @Nullable String place, boolean begun)
      throws InterruptedException {
    try {
      return operator.api().get(list.with(cursor, place), type);
    } catch (CommandFailedException e) {
      throw begun && place != null
          ? new CommandFailedException(
              e.getMessage() + "; use --after " + place + " to continue here", e)
          : e;
    }
  }

  /** Notes that there may be more rows. A short or empty page is not necessarily the last one. */
  private static void sayWhatIsLeft(Output output, long shown, @Nullable String place) {
    if (place != null) {
      output.note(
          "there may be more: --after " + place + " shows the next page, --all shows all pages");
    } else if (shown == 0) {
      output.note("no entries");
    }
  }
}
