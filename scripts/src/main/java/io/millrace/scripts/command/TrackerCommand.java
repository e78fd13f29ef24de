package io.millrace.scripts.command;

import io.millrace.console.TrackerServer;
import io.millrace.internal.files.PrivateFiles;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ConfigFile;
import io.millrace.scripts.output.ConsoleLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace tracker}: runs a tracker in this process. */
@Command(
    name = "tracker",
    description =
        "Runs a tracker until Ctrl-C or SIGTERM, which stops it properly, and prints the"
            + " address on which it listens.")
public final class TrackerCommand implements NodeCommand, Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--address-file",
      paramLabel = "FILE",
      description = "Also write the address to this file when the tracker listens.")
  private @Nullable Path addressFile;

  @Option(
      names = "--first-token-file",
      paramLabel = "FILE",
      description =
          "Write the first token of a new database to this file, readable by its owner only,"
              + " instead of to the output: for services, whose output is logged.")
  private @Nullable Path firstTokenFile;

  @Override
  public Integer call() throws InterruptedException {
    MemoryWatch.install();
    try (ShutdownSignal signal = ShutdownSignal.install(PATIENCE);
        TrackerServer server = TrackerServer.create(config.server())) {
      server.start();
      announce(server);
      server.tracker().terminated().whenComplete((unused, failure) -> signal.endWait());
      signal.await();
      requireNotFailed(server.tracker().terminated());
    }
    return ExitCode.OK;
  }

  /** Throws if the tracker terminated with an error, regardless of the result of its close. */
  private static void requireNotFailed(CompletableFuture<Void> terminated) {
    if (terminated.isCompletedExceptionally()) {
      throw new CommandFailedException(
          "stopped unexpectedly: "
              + terminated.handle((unused, failure) -> failure.getMessage()).join());
    }
  }

  private void announce(TrackerServer server) {
    PrintWriter out = spec.commandLine().getOut();
    String address = server.address();
    out.println("tracker listens on " + address);
    Optional<String> token = server.firstOperatorToken();
    if (firstTokenFile != null && token.isPresent()) {
      writeWhole(firstTokenFile.toAbsolutePath(), token.get() + "\n");
      out.println("the first token, named admin, is in " + firstTokenFile);
      token = Optional.empty();
    }
    ConsoleLines.of(server.consoleUrl(), token).forEach(out::println);
    out.flush();
    if (addressFile != null) {
      writeWhole(addressFile.toAbsolutePath(), address + "\n");
    }
  }

  /** Writes the file atomically, readable only by its owner. */
  private static void writeWhole(Path file, String content) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      PrivateFiles.createFile(part);
      Files.writeString(part, content);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
