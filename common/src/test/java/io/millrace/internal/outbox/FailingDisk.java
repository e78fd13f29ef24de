package io.millrace.internal.outbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * A file system of H2 over that of the machine, whose writes a test can make fail, or note down.
 */
public final class FailingDisk extends FilePathWrapper {
  private static volatile FailingDisk current;

  /** A write, or a cut if there are no bytes. */
  record Write(long position, byte[] bytes) {}

  final List<Write> writes = Collections.synchronizedList(new ArrayList<>());

  volatile boolean full;
  volatile boolean forceFails;

  /** Called by H2 for every path; the one that the test registers rules them all. */
  public FailingDisk() {}

  void rule() {
    current = this;
    FilePath.register(this);
  }

  @Override
  public String getScheme() {
    return "failing";
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
      if (current.full) {
        throw new IOException("No space left on device");
      }
      byte[] bytes = new byte[source.remaining()];
      source.duplicate().get(bytes);
      current.writes.add(new Write(position, bytes));
      return base.write(source, position);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      if (current.forceFails) {
        throw new IOException("Input/output error");
      }
      base.force(metaData);
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      current.writes.add(new Write(size, new byte[0]));
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
