package io.millrace.torture.journal;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Appends lines to a file, with words separated by tabs. After {@link #write} returns, the line
 * survives a kill of the process. Thread-safe.
 */
final class JournalFile implements AutoCloseable {
  private static final String BETWEEN = "\t";

  /** Not a channel, because interrupting an invocation while it writes would close a channel. */
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

  /** Appends a line of these words, which must not contain tabs or line feeds. */
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
   * Reads the words of each complete line, in order; none if the file is missing. An incomplete
   * last line, left by a killed process, is ignored.
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
