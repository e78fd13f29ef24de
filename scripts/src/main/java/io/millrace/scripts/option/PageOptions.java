package io.millrace.scripts.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of a list of the API: its pages, whose values the API checks, and the connection. */
public final class PageOptions {
  private static final int LARGEST_PAGE = 500;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

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

  @Mixin private ApiOptions api = new ApiOptions();

  /**
   * Selects the pages of a list.
   *
   * @param limit the page size; null for the API's default
   * @param after the cursor after which to begin; null for the beginning
   * @param all whether to read every page
   */
  public record Pages(@Nullable Integer limit, @Nullable String after, boolean all) {}

  /**
   * Creates the operator for the command that has these options.
   *
   * @throws io.millrace.scripts.BadInputException if a file cannot be read
   */
  public Operator operator() {
    return api.operator(command);
  }

  /** Returns the selection. */
  public Pages pages() {
    return new Pages(limit == null && all ? (Integer) LARGEST_PAGE : limit, after, all);
  }
}
