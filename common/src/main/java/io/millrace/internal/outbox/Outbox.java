package io.millrace.internal.outbox;

import io.millrace.api.OutboxConfig;
import io.millrace.api.OutboxException;
import io.millrace.internal.time.Clock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded, crash-safe store of entries that wait for a tracker. A change is on the disk when its
 * call returns: it survives {@code kill -9}, and also a loss of power unless {@link
 * OutboxConfig#sync} is off.
 *
 * <p>Calls that read or write entries wait for the disk, so do not call them on an event loop;
 * those marked "from memory" do not wait. When a call fails, the next one reopens the file; so an
 * outbox whose disk was full continues when there is room again.
 *
 * <p>Thread-safe. Only one outbox at a time may use a directory, even among several processes.
 */
public final class Outbox implements AutoCloseable {

  /**
   * An entry. Equal to itself only, as its body is.
   *
   * @param sequence rises in the order of adding; unique among the stored entries
   * @param key what the owner finds it by; not unique
   * @param body the data of the owner
   * @param storedAt when the entry was added, in milliseconds since the epoch
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Entry(long sequence, String key, byte[] body, long storedAt) {}

  /**
   * An entry to be added. Equal to itself only, as its body is.
   *
   * @param key what the owner finds it by; not unique
   * @param body the data of the owner
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record NewEntry(String key, byte[] body) {}

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private final OutboxConfig config;
  private final Clock clock;
  private final OutboxDirectory directory;
  private final EntryIndex index = new EntryIndex();
  private final Map<String, String> properties = new ConcurrentHashMap<>();

  private @Nullable OutboxFile file;
  private boolean closed;

  private Outbox(OutboxConfig config, Clock clock, OutboxDirectory directory) {
    this.config = config;
    this.clock = clock;
    this.directory = directory;
  }

  /**
   * Opens the outbox of a directory, or creates it. A damaged file is put aside and logged, and its
   * readable entries are kept.
   *
   * @throws OutboxInUseException if the outbox is open already, in this process or another one
   * @throws OutboxException if the directory or the file cannot be written
   */
  public static Outbox open(OutboxConfig config, Clock clock) {
    return open(config, clock, UninterruptibleDisk.prefix());
  }

  /**
   * Opens the outbox with a given file system.
   *
   * @param scheme the H2 scheme of the file system. With the default one, files stay open when a
   *     reading or writing thread is interrupted.
   */
  static Outbox open(OutboxConfig config, Clock clock, String scheme) {
    Outbox outbox = new Outbox(config, clock, new OutboxDirectory(config, clock, scheme));
    try {
      outbox.remove(List.of());
      return outbox;
    } catch (RuntimeException failure) {
      outbox.close();
      throw failure;
    }
  }

  /**
   * Adds an entry; it is stored when this returns.
   *
   * @return its sequence
   * @throws OutboxFullException if the entry does not fit
   * @throws OutboxException if the entry cannot be written
   */
  public long add(String key, byte[] body) {
    return addAll(List.of(new NewEntry(key, body))).get(0);
  }

  /**
   * Adds entries with one write: all of them or none.
   *
   * @return their sequences, rising
   * @throws OutboxFullException if they do not all fit
   * @throws OutboxException if they cannot be written
   */
  public synchronized List<Long> addAll(List<NewEntry> added) {
    if (added.isEmpty()) {
      return List.of();
    }
    return withFile(
        opened -> {
          checkRoom(added);
          List<Entry> numbered = number(added);
          opened.add(numbered);
          index.add(numbered);
          return sequencesOf(numbered);
        });
  }

  private List<Entry> number(List<NewEntry> added) {
    long now = clock.millis();
    long sequence = index.lastSequence();
    List<Entry> numbered = new ArrayList<>();
    for (NewEntry entry : added) {
      sequence++;
      numbered.add(new Entry(sequence, entry.key(), entry.body(), now));
    }
    return numbered;
  }

  private void checkRoom(List<NewEntry> added) {
    if (index.size() + added.size() > config.maxEntries()) {
      throw new OutboxFullException(
          config.directory(),
          "it has %d of maxEntries=%d entries; %d more do not fit"
              .formatted(index.size(), config.maxEntries(), added.size()));
    }
    long bytes = 0;
    for (NewEntry entry : added) {
      bytes += EntryIndex.bytesOf(entry.key(), entry.body());
    }
    if (index.bytes() + bytes > config.maxBytes()) {
      throw new OutboxFullException(
          config.directory(),
          "it has %d of maxBytes=%d bytes; %d more do not fit"
              .formatted(index.bytes(), config.maxBytes(), bytes));
    }
  }

  /** All entries, in order of their sequence. */
  public synchronized List<Entry> entries() {
    return withFile(opened -> opened.entries(index.sequences()));
  }

  /** The entry with this sequence, if it is still stored. */
  public synchronized Optional<Entry> entry(long sequence) {
    return withFile(opened -> opened.entries(index.known(List.of(sequence))).stream().findFirst());
  }

  /** Removes entries with one write; unknown sequences are ignored. */
  public synchronized void remove(Collection<Long> sequences) {
    withFile(opened -> removeFrom(opened, index.known(sequences)));
  }

  /** Removes and returns the entries older than {@link OutboxConfig#maxAge}, oldest first. */
  public synchronized List<Entry> expire() {
    long oldestKept = clock.millis() - config.maxAge().toMillis();
    return withFile(
        opened -> {
          List<Entry> expired = opened.entries(index.storedBefore(oldestKept));
          removeFrom(opened, sequencesOf(expired));
          return expired;
        });
  }

  private int removeFrom(OutboxFile opened, List<Long> sequences) {
    if (!sequences.isEmpty()) {
      opened.remove(sequences);
      index.remove(sequences);
    }
    return sequences.size();
  }

  private static List<Long> sequencesOf(List<Entry> entries) {
    return entries.stream().map(Entry::sequence).toList();
  }

  /** The key of each entry, by its sequence, rising; from memory. */
  public SortedMap<Long, String> keys() {
    return index.keys();
  }

  /** How many entries there are; from memory. */
  public int size() {
    return index.size();
  }

  /** Bytes of all keys and bodies; from memory. */
  public long bytes() {
    return index.bytes();
  }

  /** A property that the owner has stored; from memory. */
  public Optional<String> property(String name) {
    return Optional.ofNullable(properties.get(name));
  }

  /** Stores small properties of the owner with one write; replaces those with these names. */
  public synchronized void setProperties(Map<String, String> values) {
    withFile(
        opened -> {
          opened.setProperties(values);
          properties.putAll(values);
          return values;
        });
  }

  /** Damaged files that this outbox has put aside, in order. */
  public synchronized List<Path> setAside() {
    return directory.setAside();
  }

  /** The directory and the bounds of this outbox. */
  public OutboxConfig config() {
    return config;
  }

  /** Shrinks the file if it is large and little used, and releases the directory. Idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (file != null) {
      directory.close(file, index.bytes());
      file = null;
    }
    directory.unlock();
  }

  private <T> T withFile(Function<OutboxFile, T> work) {
    OutboxFile opened = openFile();
    T result;
    try {
      result = work.apply(opened);
    } catch (OutboxFullException full) {
      throw full;
    } catch (RuntimeException failure) {
      abandon(opened);
      throw new OutboxException(config.directory(), "cannot be used: " + failure, failure);
    }
    if (directory.isWasteful(opened, index.bytes())) {
      rewrite(opened);
    }
    return result;
  }

  private OutboxFile openFile() {
    if (closed) {
      throw new OutboxException(config.directory(), "is closed", null);
    }
    OutboxFile opened = file == null ? reopen() : file;
    file = opened;
    return opened;
  }

  /**
   * Rewrites the file. A failure is only logged, because the change of the call is stored already.
   */
  private void rewrite(OutboxFile opened) {
    try {
      file = directory.rewrite(opened);
    } catch (OutboxException failure) {
      abandon(opened);
      LOG.warn("{}; the file could not be shrunk and keeps its size for now", failure.getMessage());
    }
  }

  private void abandon(OutboxFile opened) {
    file = null;
    opened.abandon();
  }

  private OutboxFile reopen() {
    OutboxDirectory.Content content = directory.open();
    index.reset(content.entries());
    properties.clear();
    properties.putAll(content.properties());
    return content.file();
  }
}
