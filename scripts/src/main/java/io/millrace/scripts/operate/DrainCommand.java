package io.millrace.scripts.operate;

import io.millrace.console.api.fleet.WorkerRoutes.WorkerDetail;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerSummary;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Progress;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace drain}: stops assigning work to a worker. */
@Command(
    name = "drain",
    sortOptions = false,
    description =
        "Drains a worker: it gets no further work until its process ends, so it can be"
            + " stopped without interrupting executions; with --end, it gets work again.")
public final class DrainCommand implements Callable<Integer> {
  private static final long LOOK_AGAIN_MILLIS = 1_000;

  /**
   * How many reports of the worker to wait for; a new last pull marks a report. With the first one
   * the tracker applies the drain; the second one counts what the worker holds since then.
   */
  private static final int READINGS = 2;

  @Parameters(index = "0", paramLabel = "ID", description = "The worker, as listed by workers.")
  private String worker = "";

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description = "The node group, if the worker pulls for several.")
  private @Nullable String nodeGroup;

  @Option(names = "--end", description = "End the draining.")
  private boolean end;

  @Option(
      names = "--until-idle",
      description =
          "Return when the worker has no execution left, as seen a few seconds ago. Fails if"
              + " the worker is gone before.")
  private boolean untilIdle;

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    BadInputException.unless(!end || !untilIdle, "--end and --until-idle exclude one another");
    Operator operator = api.operator();
    ApiPath path = ApiPath.of("workers", worker, end ? "undrain" : "drain");
    Answer<WorkerSummary> answer =
        operator.api().post(path.with("group", nodeGroup), null, WorkerSummary.class);
    if (untilIdle) {
      awaitIdle(operator, answer.value());
    } else {
      operator.output().show(answer, DrainCommand::print);
    }
    return ExitCode.OK;
  }

  /**
   * Waits until the worker holds nothing. The tracker that the worker pulls from applies the drain
   * when it next reports the worker; the held executions count from the report after that.
   */
  private void awaitIdle(Operator operator, WorkerSummary begun) throws InterruptedException {
    ApiPath path = ApiPath.of("workers", worker).with("group", begun.group());
    Answer<WorkerDetail> seen = operator.api().get(path, WorkerDetail.class);
    WorkerSummary row = seen.value().worker();
    Instant lastPull = begun.lastPull();
    int readings = 0;
    int most = row.held();
    try (Progress progress = operator.output().progress("drain", most)) {
      while (row.held() > 0 || readings < READINGS) {
        if (!row.connected()) {
          throw new CommandFailedException("worker " + worker + " is gone; it had " + row.held());
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        seen = operator.api().get(path, WorkerDetail.class);
        row = seen.value().worker();
        readings += row.lastPull().equals(lastPull) ? 0 : 1;
        lastPull = row.lastPull();
        most = Math.max(most, row.held());
        progress.of(most);
        progress.to(most - row.held());
      }
    }
    operator.output().show(seen, (detail, out) -> print(detail.worker(), out));
  }

  private static void print(WorkerSummary row, PrintWriter out) {
    out.println(
        WorkersCommand.state(row)
            + " "
            + row.id()
            + " of "
            + row.group()
            + ": holds "
            + row.held());
  }
}
