package io.millrace.scripts.command;

import io.millrace.internal.time.SystemClock;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.demo.AttemptPrinter;
import io.millrace.scripts.demo.DemoWorker;
import io.millrace.scripts.option.ConnectionOptions;
import io.millrace.tasktracker.RunnerThreads;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
      "Runs a demo worker until Ctrl-C or SIGTERM, and prints each execution when it starts"
          + " and ends.",
      "Its handlers are echo (returns the parameters; also runs jobs that name no handler),"
          + " sleep (parameter for, such as for=500ms) and fail (parameters times: how many"
          + " attempts fail, by default all; message: the message of the failures)."
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
      description = "How many executions run at once. Default: ${DEFAULT-VALUE}.")
  private int slots = 8;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "What jobs may require with --on; can be repeated.")
  private List<String> labels = new ArrayList<>();

  @Option(
      names = "--prefetch",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "How many executions may wait for a slot, if executions are short. Default:"
              + " ${DEFAULT-VALUE}.")
  private int prefetch = 256;

  @Option(
      names = "--runner-threads",
      paramLabel = "KIND",
      defaultValue = "auto",
      description =
          "Threads that run executions: virtual (a JVM of 21 or later), platform, or auto:"
              + " virtual on a JVM of 24 or later. Default: ${DEFAULT-VALUE}.")
  private RunnerThreads runnerThreads = RunnerThreads.AUTO;

  @Option(
      names = "--grace",
      paramLabel = "DUR",
      defaultValue = "30s",
      description =
          "How long executions may run when it stops, before they are interrupted. Default:"
              + " ${DEFAULT-VALUE}.")
  private Duration grace = Duration.ofSeconds(30);

  @Option(
      names = "--outbox",
      paramLabel = "DIR",
      description =
          "Directory for this worker only, which stores results while no tracker can be"
              + " reached, also across restarts. Default: results are kept in memory.")
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
      builder.labels(labels.toArray(String[]::new));
      if (outbox != null) {
        builder.outbox(outbox);
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
