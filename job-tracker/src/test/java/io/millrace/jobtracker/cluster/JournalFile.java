package io.millrace.jobtracker.cluster;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a worker process writes down, one line for each invocation that begins and one for each that
 * ends. A line is in the file before the invocation goes on, and stays there if the process is
 * killed.
 */
final class JournalFile implements Closeable {
  /** Not a channel: to interrupt an invocation while it writes would close that. */
  private final FileOutputStream file;

  private JournalFile(FileOutputStream file) {
    this.file = file;
  }

  /** Opens the file to write at its end; makes it if there is none. */
  static JournalFile append(Path path) throws IOException {
    return new JournalFile(new FileOutputStream(path.toFile(), true));
  }

  void began(Run run) {
    write(
        String.join(
            " ",
            "began",
            String.valueOf(run.executionId()),
            run.taskId(),
            String.valueOf(run.plannedFor()),
            String.valueOf(run.attempt()),
            run.workerId()));
  }

  void ended(long executionId) {
    write("ended " + executionId);
  }

  private synchronized void write(String line) {
    try {
      file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Every invocation that began, so far as the file tells; none if there is no file yet. */
  static List<Run> runs(Path path) {
    return lines(path, "began").stream()
        .map(
            line ->
                new Run(
                    Long.parseLong(line[1]),
                    line[2],
                    Long.parseLong(line[3]),
                    Integer.parseInt(line[4]),
                    line[5]))
        .toList();
  }

  /** The executions whose invocation began and did not end. */
  static Set<Long> unfinished(Path path) {
    Set<Long> unfinished = new HashSet<>();
    lines(path, "began").forEach(line -> unfinished.add(Long.parseLong(line[1])));
    lines(path, "ended").forEach(line -> unfinished.remove(Long.parseLong(line[1])));
    return unfinished;
  }

  /** The words of each whole line that begins with this one. */
  private static List<String[]> lines(Path path, String first) {
    try {
      String text = Files.exists(path) ? Files.readString(path) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(line -> line.split(" "))
          .filter(words -> words[0].equals(first))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
