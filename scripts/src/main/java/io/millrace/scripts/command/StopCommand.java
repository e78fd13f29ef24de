package io.millrace.scripts.command;

import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.background.NodeFiles;
import io.millrace.scripts.background.NodeProcess;
import io.millrace.scripts.option.ConfigFile;
import io.millrace.scripts.option.RunDirectory;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace stop}: shuts down a tracker started by {@code millrace start}. */
@Command(
    name = "stop",
    description = {
      "Stops the tracker that the start command started, and waits until it has ended.",
      "Stops only the process in the pid file, and only if it is still that tracker."
    })
public final class StopCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private RunDirectory runDirectory = new RunDirectory();

  @Option(
      names = "--wait",
      paramLabel = "DUR",
      defaultValue = "60s",
      description = "How long to wait until it has ended. Default: ${DEFAULT-VALUE}.")
  private Duration patience = Duration.ofSeconds(60);

  @Option(names = "--kill", description = "Kill it if it has not ended by then.")
  private boolean kill;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    NodeProcess node = new NodeProcess(NodeFiles.of(runDirectory.path(), config.path()));
    Optional<ProcessHandle> process = node.find();
    if (process.isEmpty()) {
      out.println("tracker is not running" + (node.isRecorded() ? "; removed its pid file" : ""));
    } else {
      end(process.get());
      out.println("tracker, process " + process.get().pid() + ", has ended");
    }
    node.forget();
    return ExitCode.OK;
  }

  private void end(ProcessHandle process) throws InterruptedException {
    process.destroy();
    if (hasEndedWithin(patience, process)) {
      return;
    }
    String still =
        "process " + process.pid() + " did not end within " + patience.toSeconds() + " s";
    if (!kill) {
      throw new CommandFailedException(still + "; use --kill to kill it");
    }
    process.destroyForcibly();
    if (!hasEndedWithin(Duration.ofSeconds(10), process)) {
      throw new CommandFailedException(still + ", and could not be killed");
    }
  }

  private static boolean hasEndedWithin(Duration limit, ProcessHandle process)
      throws InterruptedException {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot wait for process " + process.pid(), e);
    }
  }
}
