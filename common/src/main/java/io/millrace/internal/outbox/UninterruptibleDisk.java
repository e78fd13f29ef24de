package io.millrace.internal.outbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.h2.store.fs.FileUtils;

/**
 * A file system for the store, over that of the machine, whose files stay open when a reading or
 * writing thread is interrupted. The JVM closes a plain file then, for all threads.
 */
public final class UninterruptibleDisk extends FilePathWrapper {
  private static final String SCHEME = "uninterruptible";

  /** Called by the store for every path. */
  public UninterruptibleDisk() {}

  /** Makes the file system known to the store, and returns what its paths begin with. */
  static String prefix() {
    FilePath.register(new UninterruptibleDisk());
    return SCHEME + ":";
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new File(
        AsynchronousFileChannel.open(
            Path.of(getBase().toString()), FileUtils.modeToOptions(mode), /* executor= */ null));
  }

  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // each call says its position
  private static final class File extends FileBaseDefault {
    private final AsynchronousFileChannel channel;

    File(AsynchronousFileChannel channel) {
      this.channel = channel;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return completed(channel.read(target, position));
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      return completed(channel.write(source, position));
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      AsynchronousFileChannel unused = channel.truncate(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      channel.force(metaData);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return channel.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      channel.close();
    }

    /** Waits even if interrupted; the thread is interrupted afterwards. */
    private static <T> T completed(Future<T> operation) throws IOException {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return operation.get();
          } catch (InterruptedException e) {
            interrupted = true;
          } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
