package io.millrace.torture.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Lines at the end of a file, words set apart by tabs. A line that {@link #write} has returned from
 * stays there if the process is killed. Thread-safe.
 */
final class JournalFile implements AutoCloseable {
  private static final String BETWEEN = "\t";

  private final FileChannel file;

  private JournalFile(FileChannel file) {
    this.file = file;
  }

  static JournalFile append(Path path) {
    try {
      return new JournalFile(
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
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
    ByteBuffer bytes =
        ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        int unused = file.write(bytes);
      }
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
