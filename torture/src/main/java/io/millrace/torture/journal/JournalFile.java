package io.millrace.torture.journal;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Lines at the end of a file, words set apart by tabs. A line that {@link #write} has returned from
 * stays there if the process is killed. Thread-safe.
 */
final class JournalFile implements AutoCloseable {
  private static final String BETWEEN = "\t";

  /** Not a channel: to interrupt a body while it writes would close that. */
  private final FileOutputStream file;

  private JournalFile(FileOutputStream file) {
    this.file = file;
  }

  static JournalFile append(Path path) {
    try {
      return new JournalFile(new FileOutputStream(path.toFile(), true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a line of these words, without tabs and line feeds in them. */
  synchronized void write(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.isEmpty() ? "" : BETWEEN).append(oneWord(word));
    }
    try {
      file.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String oneWord(Object word) {
    return word.toString().replaceAll("[\\t\\r\\n]", " ");
  }

  /**
   * The words of each whole line, in order; none if there is no file. The last line of a process
   * that was killed may be torn: it is left out.
   */
  static List<String[]> read(Path path) {
    try {
      String text = Files.exists(path) ? Files.readString(path) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(line -> line.split(BETWEEN, -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
