package io.millrace.internal.outbox;

import io.millrace.api.OutboxException;
import io.millrace.internal.files.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reserves a directory for one outbox while that is open. Uses its own lock file, because the
 * store's file is sometimes replaced by another one. The lock ends with the process.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "outbox.lock";

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Creates the directory if necessary, and locks it.
   *
   * @throws OutboxInUseException if another outbox has the directory
   * @throws OutboxException if the directory cannot be written
   */
  static DirectoryLock take(Path directory) {
    try {
      PrivateFiles.createDirectory(directory);
      PrivateFiles.createFile(directory.resolve(FILE));
      FileChannel channel =
          FileChannel.open(
              directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        return new DirectoryLock(channel);
      }
      channel.close();
      throw new OutboxInUseException(directory);
    } catch (IOException failure) {
      throw new OutboxException(directory, "cannot be written: " + failure, failure);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ofThisProcess) {
      return false;
    } catch (IOException failure) {
      channel.close();
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
