package io.millrace.scripts.command;

import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import io.millrace.jobtracker.domain.cron.LocalFire;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.NextOfJob;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Exclusions;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace next}: shows the next fire times of a cron expression or a job. */
@Command(
    name = "next",
    sortOptions = false,
    description = {
      "Shows the next fire times of a cron expression, without a tracker; or of a job,"
          + " through the API of a tracker.",
      "Each line has the instant in UTC, the local time with its offset, and a note if it is"
          + " affected by a change of the clocks. The meaning of the expression is written to the"
          + " error stream."
    })
public final class NextCommand implements Callable<Integer> {
  private static final int MOST = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "GROUP",
      description = "Node group of the job.")
  private @Nullable String nodeGroup;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TASKID",
      description = "Task id of the job.")
  private @Nullable String taskId;

  @Option(
      names = "--cron",
      paramLabel = "EXPR",
      description =
          "The cron expression: Quartz (6 or 7 fields), Unix (5 fields) or a nickname such as"
              + " @daily.")
  private @Nullable String cron;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "Time zone of the cron expression. Default: ${DEFAULT-VALUE}.")
  private ZoneId zone = ZoneOffset.UTC;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description =
          "Show fire times after this instant, such as 2030-01-31T08:00:00Z. Default: now.")
  private @Nullable Instant from;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Number of fire times, 1 to " + MOST + ", of a job 1 to 200. Default: ${DEFAULT-VALUE}.")
  private int count = 10;

  @Option(
      names = "--language",
      paramLabel = "en|zh",
      description =
          "Language of the output: English or Chinese. Default: Chinese if it is the language"
              + " of the machine, else English.")
  private @Nullable Locale language;

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (cron == null && nodeGroup != null && taskId != null) {
      Exclusions.require(spec, "GROUP", "--zone", "--from", "--language");
      return new NextOfJob(api.operator()).show(nodeGroup, taskId, count);
    }
    if (cron == null || nodeGroup != null) {
      throw new BadInputException("give either GROUP and TASKID of a job, or --cron EXPR");
    }
    api.requireUnused("--cron");
    Exclusions.require(spec, "--cron", "--json");
    return ofExpression(cron);
  }

  private int ofExpression(String cronText) {
    BadInputException.unless(
        count >= 1 && count <= MOST, "--count " + count + " must be between 1 and " + MOST);
    CronExpression expression = expression(cronText);
    Instant after = from == null ? new SystemClock().now() : from;
    PrintWriter error = spec.commandLine().getErr();
    Locale spoken = language == null ? Locale.getDefault() : language;
    error.println(expression.describe(spoken));
    error.flush();
    List<LocalFire> fires = expression.firesAfter(after, zone, count, spoken);
    if (fires.isEmpty()) {
      throw new CommandFailedException("no fire time after " + after);
    }
    PrintWriter out = spec.commandLine().getOut();
    fires.forEach(out::println);
    out.flush();
    if (fires.size() < count) {
      error.println("no further fire times: " + fires.size() + " of " + count);
    }
    return ExitCode.OK;
  }

  private static CronExpression expression(String cron) {
    try {
      return CronExpression.parse(cron);
    } catch (InvalidScheduleException e) {
      throw new BadInputException("--cron: " + e.getMessage(), e);
    }
  }
}
