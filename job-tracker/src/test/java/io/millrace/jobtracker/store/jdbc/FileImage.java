package io.millrace.jobtracker.store.jdbc;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.h2.store.fs.FilePath;

/** The file that a kill at some write would leave, in memory. */
final class FileImage {
  private byte[] bytes = new byte[0];
  private int length;

  FileImage() {}

  FileImage(FileImage other) {
    bytes = Arrays.copyOf(other.bytes, other.bytes.length);
    length = other.length;
  }

  void write(long position, byte[] source, int count) {
    int end = (int) position + count;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    System.arraycopy(source, 0, bytes, (int) position, count);
    length = Math.max(length, end);
  }

  void cut(int newLength) {
    if (newLength < length) {
      Arrays.fill(bytes, newLength, length, (byte) 0);
      length = newLength;
    }
  }

  void store(String path) throws IOException {
    try (OutputStream file = FilePath.get(path).newOutputStream(false)) {
      file.write(bytes, 0, length);
    }
  }
}
