package io.millrace.scripts.command;

import ch.qos.logback.classic.Level;
import io.millrace.console.ConsoleConfig;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.StoreOptions;
import io.millrace.scripts.quickstart.DataDirectory;
import io.millrace.scripts.quickstart.DemoPort;
import io.millrace.scripts.quickstart.DemoPorts;
import io.millrace.scripts.quickstart.Quickstart;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace quickstart}: demonstrates a complete cluster. */
@Command(
    name = "quickstart",
    sortOptions = false,
    description = {
      "Starts a tracker, two workers and a client in this process, with real connections on"
          + " loopback; submits one job of each kind; prints each execution when it ends.",
      "Stop it with Ctrl-C."
    })
public final class QuickstartCommand implements NodeCommand, Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--once",
      description =
          "Exit after a one-shot, a cron and a repeat job have run and are completed in the"
              + " store: exit code 0. Exit code 1, with the reason, if that takes longer than a"
              + " minute.")
  private boolean once;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Store the data, an H2 file, in this directory. Default: a temporary directory,"
              + " deleted at the end.")
  private @Nullable Path data;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "35001",
      description = "Port of the tracker; a free one if it is in use. Default: ${DEFAULT-VALUE}.")
  private int port = 35_001;

  @Option(
      names = "--console-port",
      paramLabel = "N",
      defaultValue = "8081",
      description =
          "Port of the tracker for operators; a free one if it is in use. Default:"
              + " ${DEFAULT-VALUE}.")
  private int consolePort = ConsoleConfig.DEFAULT_PORT;

  @Mixin private StoreOptions store = new StoreOptions();

  /** Returns a level that keeps the log from hiding the table. */
  @Override
  public Level logLevel() {
    return Level.WARN;
  }

  @Override
  public Integer call() throws InterruptedException {
    Optional<StoreConfig> named = store.config(spec, "--data");
    try (ShutdownSignal signal = ShutdownSignal.install(PATIENCE)) {
      if (named.isPresent()) {
        run(named.get(), signal);
      } else {
        try (DataDirectory directory = DataDirectory.open(data)) {
          run(directory.store(), signal);
        }
      }
    }
    return ExitCode.OK;
  }

  private void run(StoreConfig storeConfig, ShutdownSignal signal) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Quickstart quickstart = new Quickstart(new SystemClock(), out, signal::await);
    DemoPorts free = new DemoPorts(DemoPort.choose(port, out), DemoPort.choose(consolePort, out));
    if (once) {
      quickstart.runOnce(storeConfig, free);
    } else {
      quickstart.run(storeConfig, free);
    }
  }
}
