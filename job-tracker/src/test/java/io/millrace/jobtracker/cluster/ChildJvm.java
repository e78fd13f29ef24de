package io.millrace.jobtracker.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that the test started, with the test's own class path. It ends by itself when the test's
 * JVM does, because its input ends then; {@link #close} ends it in any case.
 */
final class ChildJvm implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final Path log;

  private ChildJvm(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one that runs this class.
   *
   * @param log file to whose end it writes its output
   */
  static ChildJvm start(Class<?> main, Path log, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new ChildJvm(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the child's main thread does between its start and its graceful end. */
  static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      continue;
    }
  }

  /** Kills it, as kill -9 does, and returns when it is dead. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Sends it a signal of this name, and returns when it was sent. */
  void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
      int exitCode = kill.waitFor();
      if (exitCode != 0) {
        throw new AssertionError("kill -" + name + " ended with " + exitCode);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while a signal is sent", e);
    }
  }

  /** Asks it to end and returns its exit code. */
  int stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitExit();
    return process.exitValue();
  }

  private void awaitExit() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("process " + process.pid() + " does not end; it said\n" + said());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while process " + process.pid() + " ends", e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** All that was written to its log, with what its threads are doing now at the end. */
  String saidAndDoes() {
    try {
      String java = System.getProperty("java.home");
      Process dump =
          new ProcessBuilder(
                  Path.of(java, "bin", "jcmd").toString(),
                  String.valueOf(process.pid()),
                  "Thread.print",
                  "-l")
              .redirectErrorStream(true)
              .start();
      String threads = new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said() + "\n" + threads;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that was written to its log. */
  String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
