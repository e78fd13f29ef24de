package io.millrace.scripts.command;

import io.millrace.common.time.SystemClock;
import io.millrace.jobtracker.domain.schedule.CronExpression;
import io.millrace.jobtracker.domain.schedule.InvalidScheduleException;
import io.millrace.jobtracker.domain.schedule.LocalFire;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.InstantConverter;
import io.millrace.scripts.option.LanguageConverter;
import io.millrace.scripts.option.ZoneConverter;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace next}: when a cron expression would fire. */
@Command(
    name = "next",
    sortOptions = false,
    description = {
      "Shows when a cron expression fires next, without a tracker.",
      "Each line is the instant in UTC, the local time with its offset, and a note if a change of"
          + " the clocks has to do with it. What the expression says goes to the error stream."
    })
public final class NextCommand implements Callable<Integer> {
  private static final int MOST = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--cron",
      paramLabel = "EXPR",
      required = true,
      description =
          "The cron expression: Quartz (6 or 7 fields), Unix (5 fields) or a nickname such as"
              + " @daily.")
  private String cron = "";

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      converter = ZoneConverter.class,
      defaultValue = "UTC",
      description = "Time zone of the cron expression. Default: ${DEFAULT-VALUE}.")
  private ZoneId zone = ZoneOffset.UTC;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      converter = InstantConverter.class,
      description =
          "Show what fires after this instant, such as 2030-01-31T08:00:00Z. Default: now.")
  private @Nullable Instant from;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many fire times, 1 to " + MOST + ". Default: ${DEFAULT-VALUE}.")
  private int count = 10;

  @Option(
      names = "--language",
      paramLabel = "en|zh",
      converter = LanguageConverter.class,
      description =
          "Language of what the expression says: English or Chinese. Otherwise Chinese if it is"
              + " that of the machine.")
  private @Nullable Locale language;

  @Override
  public Integer call() {
    if (count < 1 || count > MOST) {
      throw new BadInputException("--count " + count + " is not within 1 and " + MOST);
    }
    CronExpression expression = expression();
    Instant after = from == null ? new SystemClock().now() : from;
    PrintWriter error = spec.commandLine().getErr();
    error.println(expression.describe(language == null ? Locale.getDefault() : language));
    error.flush();
    List<LocalFire> fires = expression.firesAfter(after, zone, count);
    if (fires.isEmpty()) {
      throw new CommandFailedException("it never fires after " + after);
    }
    PrintWriter out = spec.commandLine().getOut();
    fires.forEach(out::println);
    out.flush();
    if (fires.size() < count) {
      error.println("no more fire times: " + fires.size() + " of " + count);
    }
    return ExitCode.OK;
  }

  private CronExpression expression() {
    try {
      return CronExpression.parse(cron);
    } catch (InvalidScheduleException e) {
      throw new BadInputException("--cron: " + e.getMessage(), e);
    }
  }
}
