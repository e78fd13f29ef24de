package io.millrace.scripts.operate;

import io.millrace.console.api.history.LogRoutes.LogItem;
import io.millrace.console.api.history.LogRoutes.LogPage;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.LogLevel;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.api.EventStream;
import io.millrace.scripts.api.EventStream.Event;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Output;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace log}: shows the log of an execution. */
@Command(
    name = "log",
    sortOptions = false,
    description = {
      "Prints the log of an execution: the time by its worker's clock, the level, the text.",
      "With -f it continues until the execution has ended; with --json as well, it prints one"
          + " JSON object a line."
    })
public final class LogCommand implements Callable<Integer> {
  private static final int LARGEST_PAGE = 500;
  private static final String LINE = "line";
  private static final String END = "end";

  @Parameters(
      index = "0",
      paramLabel = "EXECUTION",
      description = "Id of the execution, as listed by running and history.")
  private String execution = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Continue with new lines until the execution has ended.")
  private boolean follow;

  @Option(
      names = "--after",
      paramLabel = "N",
      description = "Start after the line with this number.")
  private @Nullable Integer after;

  @Option(
      names = {"-n", "--tail"},
      paramLabel = "N",
      description = "Print only the last N lines, of those that match.")
  private @Nullable Integer tail;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "Print only lines of this level or a higher one: DEBUG, INFO, WARN or ERROR.")
  private @Nullable LogLevel level;

  @Option(
      names = "--contains",
      paramLabel = "TEXT",
      description = "Print only lines that contain this text, ignoring case.")
  private @Nullable String contains;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ApiOptions api = new ApiOptions();

  /** How the execution ended, from the last event. */
  record Ended(String status) {}

  @Override
  public Integer call() throws InterruptedException {
    checkOptions();
    Operator operator = api.operator();
    if (tail != null) {
      printTail(operator, tail);
    } else if (follow) {
      follow(operator);
    } else {
      printAll(operator);
    }
    return ExitCode.OK;
  }

  private void checkOptions() {
    if (follow && (tail != null || level != null || contains != null)) {
      throw refusal("--follow cannot be combined with --tail, --level or --contains");
    }
    if (tail != null && (tail < 1 || after != null)) {
      throw refusal(
          after == null ? "--tail must be at least 1" : "--tail cannot be combined with --after");
    }
  }

  private ParameterException refusal(String reason) {
    return new ParameterException(spec.commandLine(), reason);
  }

  private ApiPath path(int limit) {
    return ApiPath.of("executions", execution, "log")
        .with("level", level)
        .with("contains", contains)
        .with("limit", limit);
  }

  /**
   * Reads backwards from the end, and prints the pages in the order in which the job wrote them.
   */
  private void printTail(Operator operator, int wanted) throws InterruptedException {
    Deque<Answer<LogPage>> pages = new ArrayDeque<>();
    String place = String.valueOf(Integer.MAX_VALUE);
    for (int left = wanted; left > 0 && place != null; ) {
      Answer<LogPage> page =
          operator
              .api()
              .get(path(Math.min(left, LARGEST_PAGE)).with("before", place), LogPage.class);
      pages.push(page);
      left -= page.value().items().size();
      place = page.value().next();
    }
    pages.forEach(page -> print(operator, page));
  }

  private static void print(Operator operator, Answer<LogPage> page) {
    operator
        .output()
        .show(page, (value, out) -> value.items().forEach(row -> out.println(line(row))));
  }

  private void printAll(Operator operator) throws InterruptedException {
    String place = after == null ? null : after.toString();
    do {
      ApiPath path = path(LARGEST_PAGE).with("after", place);
      Answer<LogPage> page = operator.api().get(path, LogPage.class);
      print(operator, page);
      place = page.value().next();
    } while (place != null && !operator.output().isLeft());
  }

  private void follow(Operator operator) throws InterruptedException {
    Output output = operator.output();
    JsonCodec codec = new JsonCodec();
    ApiPath path = ApiPath.of("executions", execution, "log", "stream").with("after", after);
    try (EventStream events = operator.api().events(path)) {
      Event event = events.next();
      while (!event.name().equals(END)) {
        if (event.name().equals(LINE)) {
          LogItem row = codec.decodeText(event.data(), LogItem.class);
          output.show(new Answer<>(event.data(), row), LogCommand::print);
          if (output.isLeft()) {
            return;
          }
        }
        event = events.next();
      }
      output.note("it has ended: " + codec.decodeText(event.data(), Ended.class).status());
    }
  }

  private static void print(LogItem row, PrintWriter out) {
    out.println(line(row));
  }

  private static String line(LogItem row) {
    return "%s  %-5s  %s".formatted(row.at(), row.level(), Cell.lines(row.text()));
  }
}
