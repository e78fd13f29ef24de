package io.millrace.common.outbox;

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
 * and tidies up nothing by itself, and has no thread.
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
   * Opens a file, or makes it.
   *
   * @param name with the scheme of the file system
   * @throws MVStoreException if it cannot be read or written
   */
  static OutboxFile open(String name, boolean sync) {
    return open(builder(name), sync);
  }

  /** Opens a file to see what of it can be read. */
  static OutboxFile openToRead(String name) {
    return open(builder(name).readOnly(), false);
  }

  /**
   * Space is never used again within a file. The store finds its newest commit by way of the place
   * where it expected it to lie; when space is used again it lies elsewhere, and a process that is
   * killed between two writes may come back without it. What gathers is got rid of by writing the
   * file anew.
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

  /** No commit but those asked for, neither by time nor by size; pages as small as a block. */
  private static MVStore.Builder builder(String name) {
    return new MVStore.Builder()
        .fileName(name)
        .autoCommitDisabled()
        .autoCommitBufferSize(0)
        .pageSplitSize(4 << 10);
  }

  /** Whether the disk failed, as opposed to what is on it being damaged. */
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
   * Gives every entry in order of its sequence.
   *
   * @throws DamagedOutboxException at the first that cannot be read
   */
  void forEach(Consumer<Outbox.Entry> reader) {
    Cursor<Long, byte[]> cursor = entries.cursor(null);
    while (cursor.hasNext()) {
      long sequence = cursor.next();
      reader.accept(EntryForm.decode(sequence, cursor.getValue()));
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
    return EntryForm.decode(sequence, encoded);
  }

  Map<String, String> properties() {
    return Map.copyOf(properties);
  }

  /** Adds entries that have their sequence and time, in one commit. */
  void add(List<Outbox.Entry> added) {
    for (Outbox.Entry entry : added) {
      entries.put(entry.sequence(), EntryForm.encode(entry.key(), entry.body(), entry.storedAt()));
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

  /** Lets go of the file without writing to it, as if the process had ended. */
  void abandon() {
    store.closeImmediately();
  }

  /** Closes the file in good order. */
  void close() {
    store.close(0);
  }
}
