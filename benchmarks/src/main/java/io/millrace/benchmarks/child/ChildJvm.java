package io.millrace.benchmarks.child;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.contender.PartKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM that runs a part of a contender. It ends with this process. Used by one thread. */
public final class ChildJvm implements AutoCloseable {
  private static final long END_SECONDS = 10;

  /** Replaces a line at the end of the output. */
  private static final String END = "";

  private final String name;
  private final Process process;
  private final Writer commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "answers of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  /** Returns the class path of this process. */
  public static String classPathOfThis() {
    return System.getProperty("java.class.path");
  }

  /**
   * Starts a JVM.
   *
   * @param classPath of the JVM, with this class
   * @param options of the JVM
   * @param log the file to which its error output is appended
   */
  public static ChildJvm start(PartKind kind, String classPath, List<String> options, Path log) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath));
    command.addAll(List.of(ChildMain.class.getName(), kind.name()));
    try {
      return new ChildJvm(
          kind.name(),
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.add(line);
      }
    } catch (IOException broken) {
      // The process has ended, which the next read reports.
    }
    answers.add(END);
  }

  /**
   * Sends a command and waits for the response.
   *
   * @param what the command and its values
   * @throws ContenderFailedException if the command fails or takes too long, or the process ends;
   *     the process is ended then
   */
  JSONObject call(JSONObject what, Duration atMost) {
    try {
      commands.write(JSON.toJSONString(what));
      commands.write('\n');
      commands.flush();
    } catch (IOException e) {
      throw failed(what, "its process has ended", e);
    }
    JSONObject answer = JSON.parseObject(await(what, atMost));
    String failure = answer.getString(ChildMain.FAILED);
    if (failure != null) {
      throw failed(what, failure, null);
    }
    return answer.getJSONObject(ChildMain.OK);
  }

  private String await(JSONObject what, Duration atMost) {
    try {
      @Nullable String line = answers.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
      if (line == null) {
        kill();
        throw failed(what, "did not answer within " + atMost.toSeconds() + " s", null);
      }
      if (line.equals(END)) {
        throw failed(what, "its process has ended", null);
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(what, "interrupted", e);
    }
  }

  private ContenderFailedException failed(JSONObject what, String why, @Nullable Exception cause) {
    return new ContenderFailedException(
        name + ", sent the command " + what.getString("do") + ": " + why, cause);
  }

  private void kill() {
    Process unused = process.destroyForcibly();
  }

  /** Ends the process by force; returns when it has ended. */
  void crash() {
    kill();
    try {
      boolean unused = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the process, by force if necessary. */
  @Override
  public void close() {
    try {
      commands.close();
    } catch (IOException alreadyGone) {
      // Then the process cannot receive the command.
    }
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
