package io.millrace.scripts.command;

import io.millrace.internal.time.SystemClock;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.background.NodeFiles;
import io.millrace.scripts.background.NodeStarter;
import io.millrace.scripts.option.ConfigFile;
import io.millrace.scripts.option.RunDirectory;
import io.millrace.scripts.output.ConsoleLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace start}: starts a tracker in the background. */
@Command(
    name = "start",
    description = "Starts a tracker in the background and waits until it listens.")
public final class StartCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private RunDirectory runDirectory = new RunDirectory();

  @Option(
      names = "--wait",
      paramLabel = "DUR",
      defaultValue = "60s",
      description =
          "How long to wait until it listens; after that it is stopped. Default: ${DEFAULT-VALUE}.")
  private Duration patience = Duration.ofSeconds(60);

  @Override
  public Integer call() throws InterruptedException {
    Path file = config.readable();
    NodeFiles files = NodeFiles.of(runDirectory.path(), file);
    NodeStarter.Started node = new NodeStarter(files, new SystemClock()).start(file, patience);
    spec.commandLine()
        .getOut()
        .printf(
            "tracker runs as process %d, listens on %s and logs to %s%n",
            node.pid(), node.address(), files.log());
    ConsoleLines.of(Optional.empty(), node.firstToken())
        .forEach(spec.commandLine().getOut()::println);
    return ExitCode.OK;
  }
}
