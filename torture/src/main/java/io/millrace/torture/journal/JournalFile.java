package io.millrace.torture.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Lines at the end of a file, which stay there if the process is killed. Thread-safe. */
final class JournalFile implements AutoCloseable {
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

  synchronized void write(String line) {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        int unused = file.write(bytes);
      }
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
