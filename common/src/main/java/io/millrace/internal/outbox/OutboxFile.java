package io.millrace.internal.outbox;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * One open file of an outbox. Each change is committed before the call returns; the store commits
 * and compacts nothing by itself, and has no thread.
 *
 * <p>Not thread-safe: the store's commits must not overlap.
 */
final class OutboxFile {
  private final MVStore store;
  private final boolean sync;
  private final MVMap<Long, byte[]> entries;
  private final MVMap<String, String> properties;

  private OutboxFile(MVStore store, boolean sync) {
    this.store = store;
    this.sync = sync;
    this.entries = store.openMap("entries");
    this.properties = store.openMap("properties");
  }

  /**
   * Opens a file, or creates it.
   *
   * @param name file name with the scheme of the file system
   * @throws MVStoreException if the file cannot be read or written
   */
  static OutboxFile open(String name, boolean sync) {
    return open(builder(name), sync);
  }

  /** Opens a damaged file read-only, to save the readable entries. */
  static OutboxFile openToRead(String name) {
    return open(builder(name).readOnly(), false);
  }

  /**
   * Opens a store that never reuses space within a file. The store looks for its newest commit at
   * the expected position. With reused space the commit is elsewhere, and after a kill between two
   * writes it may be lost. A rewrite of the file frees the unused space.
   */
  private static OutboxFile open(MVStore.Builder builder, boolean sync) {
    MVStore store = builder.open();
    try {
      store.setReuseSpace(false);
      store.setVersionsToKeep(0);
      return new OutboxFile(store, sync);
    } catch (RuntimeException failure) {
      store.closeImmediately();
      throw failure;
    }
  }

  /** Disables automatic commits, by time and by size; sets pages as small as a block. */
  private static MVStore.Builder builder(String name) {
    return new MVStore.Builder()
        .fileName(name)
        .autoCommitDisabled()
        .autoCommitBufferSize(0)
        .pageSplitSize(4 << 10);
  }

  /** Whether the disk failed, as opposed to damaged data on it. */
  static boolean isFailureOfTheDisk(Throwable failure) {
    if (failure instanceof MVStoreException store
        && store.getErrorCode() == DataUtils.ERROR_WRITING_FAILED) {
      return true;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return !(cause instanceof EOFException);
      }
    }
    return false;
  }

  /**
   * Passes every entry to the reader, in order of the sequences.
   *
   * @throws DamagedOutboxException at the first entry that cannot be read
   */
  void forEach(Consumer<Outbox.Entry> reader) {
    Cursor<Long, byte[]> cursor = entries.cursor(null);
    while (cursor.hasNext()) {
      long sequence = cursor.next();
      reader.accept(ChecksummedEntry.decode(sequence, cursor.getValue()));
    }
  }

  /** The entries of these sequences, in this order. */
  List<Outbox.Entry> entries(List<Long> sequences) {
    return sequences.stream().map(this::entry).toList();
  }

  private Outbox.Entry entry(long sequence) {
    byte[] encoded = entries.get(sequence);
    if (encoded == null) {
      throw new DamagedOutboxException("entry " + sequence + " is missing");
    }
    return ChecksummedEntry.decode(sequence, encoded);
  }

  Map<String, String> properties() {
    return Map.copyOf(properties);
  }

  /** Adds entries with their sequences and times, in one commit. */
  void add(List<Outbox.Entry> added) {
    for (Outbox.Entry entry : added) {
      entries.put(
          entry.sequence(), ChecksummedEntry.encode(entry.key(), entry.body(), entry.storedAt()));
    }
    commit();
  }

  /** Removes entries in one commit. */
  void remove(List<Long> sequences) {
    sequences.forEach(entries::remove);
    commit();
  }

  /** Sets properties in one commit. */
  void setProperties(Map<String, String> values) {
    properties.putAll(values);
    commit();
  }

  /** Size of the file in bytes. */
  long size() {
    return store.getFileStore().size();
  }

  private void commit() {
    store.commit();
    if (sync) {
      store.sync();
    }
  }

  /** Releases the file without writing to it, as if the process had ended. */
  void abandon() {
    store.closeImmediately();
  }

  /** Closes the file normally. */
  void close() {
    store.close(0);
  }
}
