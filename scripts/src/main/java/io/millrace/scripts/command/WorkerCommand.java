package io.millrace.scripts.command;

import io.millrace.common.time.SystemClock;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.demo.AttemptPrinter;
import io.millrace.scripts.demo.DemoWorker;
import io.millrace.scripts.option.ConnectionOptions;
import io.millrace.scripts.option.convert.DurationConverter;
import io.millrace.scripts.option.convert.RunnerThreadsConverter;
import io.millrace.tasktracker.RunnerThreads;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace worker}: runs a worker whose handlers only echo, sleep or fail. */
@Command(
    name = "worker",
    sortOptions = false,
    description = {
      "Runs a demo worker until Ctrl-C or SIGTERM, and prints each execution as it starts and"
          + " ends.",
      "Its handlers are echo (says the parameters; also runs jobs that name no handler), sleep"
          + " (parameter for, such as for=500ms) and fail (parameters times: how many attempts"
          + " fail, all of them without it; message: what they say)."
    })
public final class WorkerCommand implements NodeCommand, Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      required = true,
      description = "Node group whose jobs it runs.")
  private String nodeGroup = "";

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many executions at once. Default: ${DEFAULT-VALUE}.")
  private int slots = 8;

  @Option(
      names = "--prefetch",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "How many executions may wait for a slot, if they are over fast. Default:"
              + " ${DEFAULT-VALUE}.")
  private int prefetch = 256;

  @Option(
      names = "--runner-threads",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = RunnerThreadsConverter.class,
      description =
          "What executions run on: virtual threads (a JVM of 21 or later), platform threads, or"
              + " auto: virtual on a JVM of 24 or later. Default: ${DEFAULT-VALUE}.")
  private RunnerThreads runnerThreads = RunnerThreads.AUTO;

  @Option(
      names = "--grace",
      paramLabel = "DUR",
      defaultValue = "30s",
      converter = DurationConverter.class,
      description =
          "How long executions may take to end when it stops, before they are interrupted."
              + " Default: ${DEFAULT-VALUE}.")
  private Duration grace = Duration.ofSeconds(30);

  @Option(
      names = "--outbox",
      paramLabel = "DIR",
      description =
          "Directory of this worker alone, where it keeps results that reach no tracker, also over"
              + " restarts. Without it they are kept in memory.")
  private @Nullable Path outbox;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (ShutdownSignal signal = ShutdownSignal.install(grace.plusSeconds(30));
        TaskTracker worker = build(out)) {
      worker.start();
      out.println(
          "worker of node group " + nodeGroup + " pulls from " + connection.trackers().joined());
      out.flush();
      signal.await();
    }
    return ExitCode.OK;
  }

  private TaskTracker build(PrintWriter out) {
    TaskTrackerBuilder builder =
        TaskTracker.builder()
            .trackers(connection.trackers().toArray())
            .nodeGroup(nodeGroup)
            .slots(slots)
            .prefetch(prefetch)
            .runnerThreads(runnerThreads)
            .shutdownGrace(grace);
    DemoWorker.addHandlers(builder, "worker", new SystemClock(), new AttemptPrinter(out));
    try {
      connection.token().ifPresent(builder::token);
      connection.tls().ifPresent(builder::tls);
      if (outbox != null) {
        builder.outbox(outbox);
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
