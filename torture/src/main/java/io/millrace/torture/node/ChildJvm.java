package io.millrace.torture.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small JVM with the class path of the run. It ends when the run ends, because its input ends
 * then; see {@link EndOfRun}.
 */
public final class ChildJvm {
  private final Process process;

  private ChildJvm(Process process) {
    this.process = process;
  }

  /**
   * Starts a JVM that runs this class.
   *
   * @param log the file to which its output is appended
   * @param heapMebibytes the maximum heap size
   */
  public static ChildJvm start(Class<?> main, Path log, int heapMebibytes, Arguments arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMebibytes + "m");
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments.words());
    try {
      return new ChildJvm(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void kill() {
    Process unused = process.destroyForcibly();
    awaitEnd(Long.MAX_VALUE);
  }

  /**
   * Asks the process to end, as kill does, and kills it if it does not end within this time.
   *
   * @return whether the process ended by itself
   */
  boolean stop(long millis) {
    boolean unused = process.toHandle().destroy();
    boolean ended = awaitEnd(millis);
    if (!ended) {
      kill();
    }
    return ended;
  }

  /** Waits for the end of the process, at most for this time; returns whether it has ended. */
  boolean awaitEnd(long millis) {
    try {
      return process.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while process " + process.pid() + " ends", e);
    }
  }
}
