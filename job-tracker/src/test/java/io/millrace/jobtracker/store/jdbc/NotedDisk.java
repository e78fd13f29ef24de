package io.millrace.jobtracker.store.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A file system of H2 over that of the machine, which notes every write, so that a test can make
 * the file that a kill at that moment would leave; and which can hold writes back.
 */
public final class NotedDisk extends FilePathWrapper {
  private static volatile NotedDisk current;

  /**
   * @param position of the first byte, or the new length if there are no bytes
   * @param bytes what was written; null for a cut
   * @param acknowledged how many commits had been acknowledged before
   */
  record Write(long position, byte @Nullable [] bytes, int acknowledged) {}

  final List<Write> writes = Collections.synchronizedList(new ArrayList<>());

  /** Set by the test. */
  volatile int acknowledged;

  private volatile CountDownLatch held = new CountDownLatch(0);
  private volatile CountDownLatch arrived = new CountDownLatch(0);

  /** Called by H2 for every path; the one that {@link #mount} makes rules them all. */
  public NotedDisk() {}

  /** The disk of the URLs that {@link #url} makes from now on, in this JVM. */
  public static NotedDisk mount() {
    NotedDisk disk = new NotedDisk();
    current = disk;
    FilePath.register(disk);
    return disk;
  }

  public String url(Path file) {
    return "jdbc:h2:noted:" + file.toAbsolutePath();
  }

  /** Every write waits from now on. */
  public void holdWrites() {
    arrived = new CountDownLatch(1);
    held = new CountDownLatch(1);
  }

  /** Returns when a write waits. */
  public void awaitHeldWrite() throws InterruptedException {
    arrived.await();
  }

  public void releaseWrites() {
    held.countDown();
  }

  private void note(long position, byte @Nullable [] bytes) {
    CountDownLatch release = held;
    arrived.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
    writes.add(new Write(position, bytes, acknowledged));
  }

  @Override
  public String getScheme() {
    return "noted";
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new File(getBase().open(mode));
  }

  private static final class File extends FileBaseDefault {
    private final FileChannel base;

    File(FileChannel base) {
      this.base = base;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return base.read(target, position);
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      byte[] bytes = new byte[source.remaining()];
      source.duplicate().get(bytes);
      current.note(position, bytes);
      return base.write(source, position);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      base.force(metaData);
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      current.note(size, null);
      base.truncate(size);
    }

    @Override
    public long size() throws IOException {
      return base.size();
    }

    @Override
    public synchronized FileLock tryLock(long position, long size, boolean shared)
        throws IOException {
      return base.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      base.close();
    }
  }
}
