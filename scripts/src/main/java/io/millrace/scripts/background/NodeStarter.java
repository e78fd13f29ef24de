package io.millrace.scripts.background;

import io.millrace.internal.files.PrivateFiles;
import io.millrace.internal.time.Clock;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.Millrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Starts a tracker in a separate process and waits until it listens. */
public final class NodeStarter {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final Duration PATIENCE_WITH_A_FAILED_START = Duration.ofSeconds(10);

  private final NodeFiles files;
  private final NodeProcess node;
  private final Clock clock;

  public NodeStarter(NodeFiles files, Clock clock) {
    this.files = files;
    this.node = new NodeProcess(files);
    this.clock = clock;
  }

  /**
   * A started node.
   *
   * @param pid the process id
   * @param address the address on which it listens
   * @param firstToken the first token of a new database, to be shown to the user and stored nowhere
   *     else
   */
  public record Started(long pid, String address, Optional<String> firstToken) {}

  /**
   * Starts the tracker of this configuration. If the tracker does not start listening, only its log
   * is left.
   *
   * @throws BadInputException if the tracker rejects its configuration
   * @throws CommandFailedException if it is already running, exits at once, or does not listen in
   *     time
   */
  public Started start(Path config, Duration patience) throws InterruptedException {
    node.find()
        .ifPresent(
            running -> {
              throw new CommandFailedException("is already running, as process " + running.pid());
            });
    node.forget();
    Process process = launch(config);
    try {
      node.record(process.pid());
      String address = awaitAddress(process, patience);
      return new Started(process.pid(), address, takeToken());
    } catch (RuntimeException | InterruptedException e) {
      end(process);
      throw e;
    }
  }

  private Process launch(Path config) {
    ProcessBuilder builder = new ProcessBuilder(command(config));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.redirectInput(Redirect.from(new java.io.File("/dev/null")));
    builder.redirectErrorStream(true);
    builder.redirectOutput(Redirect.to(output().toFile()));
    try {
      PrivateFiles.createDirectory(files.directory());
      PrivateFiles.createFile(files.log());
      PrivateFiles.createFile(output());
      Files.deleteIfExists(files.token());
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a node that logs to " + files.log(), e);
    }
  }

  private List<String> command(Path config) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(files.mark());
    command.add("-Dlogback.configurationFile=logback-file.xml");
    command.add("-Dmillrace.log=" + files.log());
    command.add("-XX:+ExitOnOutOfMemoryError");
    String options = System.getenv().getOrDefault("MILLRACE_JAVA_OPTS", "").strip();
    if (!options.isEmpty()) {
      command.addAll(Arrays.asList(options.split("\\s+")));
    }
    command.add(Millrace.class.getName());
    command.addAll(List.of("tracker", "--config", config.toAbsolutePath().toString()));
    command.addAll(List.of("--address-file", files.address().toString()));
    command.addAll(List.of("--first-token-file", files.token().toString()));
    return command;
  }

  private String awaitAddress(Process process, Duration patience) throws InterruptedException {
    long begin = clock.nanoTime();
    while (clock.nanoTime() - begin < patience.toNanos()) {
      if (process.waitFor(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw endedAtOnce(process.exitValue());
      }
      if (Files.exists(files.address())) {
        return read(files.address());
      }
    }
    throw new CommandFailedException(
        "did not listen within " + patience.toSeconds() + " s and was stopped; see " + files.log());
  }

  /**
   * Reads and deletes the token file. The tracker writes the token before the address; the start
   * command prints it.
   */
  private Optional<String> takeToken() {
    if (!Files.exists(files.token())) {
      return Optional.empty();
    }
    String token = read(files.token());
    try {
      Files.delete(files.token());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot remove " + files.token() + "; read the token there", e);
    }
    return Optional.of(token);
  }

  private RuntimeException endedAtOnce(int exitCode) {
    String message = "exited with code " + exitCode + " during its start; " + lastWords();
    return exitCode == ExitCode.BAD_INPUT
        ? new BadInputException(message)
        : new CommandFailedException(message);
  }

  private String lastWords() {
    Path said = read(output()).isEmpty() && Files.exists(files.log()) ? files.log() : output();
    String last = read(said).lines().reduce("", (before, line) -> line);
    return "the last line of " + said + " is: " + last;
  }

  /**
   * Returns the file for the process output, including JVM crash messages. The log is separate,
   * because it is rolled under another name.
   */
  private Path output() {
    return files.log().resolveSibling(files.log().getFileName() + ".out");
  }

  private void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(PATIENCE_WITH_A_FAILED_START.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    node.forget();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
