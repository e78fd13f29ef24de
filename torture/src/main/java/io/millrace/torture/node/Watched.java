package io.millrace.torture.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that would outlive the run, and a shell that kills it when the run ends in any way.
 * Used by one thread at a time.
 */
public final class Watched {
  private static final long PROBE_MILLIS = 10;

  /**
   * Keeps a closed pipe or a keyboard interrupt from ending the shell before it has killed the
   * process.
   */
  private static final String CAREFUL = "trap '' PIPE INT; ";

  private static final String CHILD =
      CAREFUL + "\"$@\" </dev/null >&2 & echo $!; exec >/dev/null; cat; kill -9 $!";
  private static final String PROGRAM =
      CAREFUL
          + "pids=$(\"$@\" </dev/null) || exit 1; echo $pids; exec >/dev/null; cat; kill -9 $pids";
  private static final String KNOWN = CAREFUL + "exec >/dev/null; cat; kill -9 \"$@\"";

  private final ProcessHandle process;
  private final Process watcher;

  private Watched(ProcessHandle process, Process watcher) {
    this.process = process;
    this.watcher = watcher;
  }

  /** Starts a server that runs in the foreground. */
  public static Watched child(List<String> command, Path log) {
    try {
      Process shell = shell(CHILD, command, log);
      return new Watched(handle(firstLine(shell, command, log)), shell);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a program that starts servers, prints a process id for each, and exits. */
  public static List<Watched> startedBy(List<String> program, Path log) {
    try {
      Process shell = shell(PROGRAM, program, log);
      String[] ids = firstLine(shell, program, log).strip().split("\\s+", -1);
      List<Watched> started = new ArrayList<>();
      for (String id : ids) {
        started.add(new Watched(handle(id), shell(KNOWN, List.of(id), log)));
      }
      Process unused = shell.destroyForcibly();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process shell(String script, List<String> arguments, Path log) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static String firstLine(Process shell, List<String> command, Path log)
      throws IOException {
    BufferedReader said = shell.inputReader(StandardCharsets.UTF_8);
    String line = said.readLine();
    if (line == null || line.isBlank()) {
      Process unused = shell.destroyForcibly();
      throw new IllegalStateException(
          "%s started no process; see %s".formatted(String.join(" ", command), log));
    }
    return line;
  }

  private static ProcessHandle handle(String id) {
    return ProcessHandle.of(Long.parseLong(id))
        .orElseThrow(() -> new IllegalStateException("process " + id + " exited immediately"));
  }

  public boolean isAlive() {
    return process.isAlive() && !isZombie();
  }

  /** Returns whether the process has ended but its new parent has not reaped it yet. */
  private boolean isZombie() {
    try {
      String state = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
      return state.substring(state.lastIndexOf(')') + 1).strip().startsWith("Z");
    } catch (IOException thereIsNoSuchFile) {
      return false;
    }
  }

  /** Kills the process and its shell. */
  public void kill() {
    boolean unused = process.destroyForcibly();
    awaitEnd(Long.MAX_VALUE);
    Process unusedToo = watcher.destroyForcibly();
  }

  public void send(Signal signal) {
    if (isAlive()) {
      signal.send(process);
    }
  }

  /** Waits for the end; returns whether the process ended in time. */
  public boolean awaitEnd(long millis) {
    for (long left = millis; isAlive(); left -= PROBE_MILLIS) {
      if (left <= 0) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PROBE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for a server to end", e);
      }
    }
    return true;
  }
}
