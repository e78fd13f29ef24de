package io.millrace.scripts.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select the pages of a list. The API checks the values. */
public final class PageOptions {
  private static final int LARGEST_PAGE = 500;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Maximum number of items in a page, 1 to "
              + LARGEST_PAGE
              + ". Default: 50; with --all "
              + LARGEST_PAGE
              + ".")
  private @Nullable Integer limit;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "Show the next page, from the position that the previous page printed.")
  private @Nullable String after;

  @Option(names = "--all", description = "Show all pages; with --json one page a line.")
  private boolean all;

  /**
   * Selects the pages of a list.
   *
   * @param limit the page size; null for the API's default
   * @param after the cursor after which to begin; null for the beginning
   * @param all whether to read every page
   */
  public record Pages(@Nullable Integer limit, @Nullable String after, boolean all) {}

  /** Returns the selection. */
  public Pages pages() {
    return new Pages(limit == null && all ? (Integer) LARGEST_PAGE : limit, after, all);
  }
}
