package io.millrace.internal.outbox;

import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes items to an outbox and removes its entries, in passes on a disk executor. Items and
 * removals that gather while a pass runs belong to the next pass, with one write for the removals
 * and one for every {@value #MAX_WRITE} items. Removals come first, because they make room. If a
 * pass fails, another one follows after a pause.
 *
 * <p>Thread-safe. One thread at a time uses the disk: a thread of the executor, or the thread in
 * {@link #close}.
 *
 * @param <T> an item; equal to itself only
 */
public final class OutboxPump<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxPump.class);

  /** The most items of one write: only these are in memory in their encoded form. */
  static final int MAX_WRITE = 1_000;

  /** The owner of the entries. Called by the thread that uses the disk. */
  public interface Owner<T> {

    /**
     * Returns the entry of an item.
     *
     * @throws RuntimeException if the item has none; its write then fails with this exception
     */
    Outbox.NewEntry encode(T item);

    /**
     * Finds the entries of the last write. It failed, but some of its entries may be on the disk.
     * Called before the next write.
     */
    default void findWritten() {}

    /**
     * Applies the changes of a pass. May read the outbox; reports a failure to do so with {@link
     * OutboxPump#failed}, and must not throw.
     *
     * @return what follows the pass; runs when other threads may use the disk again
     */
    Runnable passed(OutboxPump<T> pump, Pass<T> pass);
  }

  /**
   * The result of writing an item.
   *
   * @param sequence the sequence of its entry; unspecified after a failure
   * @param failure null if the entry is on the disk; an {@link OutboxFullException} if it does not
   *     fit
   */
  public record Written<T>(T item, long sequence, @Nullable RuntimeException failure) {}

  /**
   * The changes of a pass.
   *
   * @param written one result for each added item
   * @param removed the sequences given to {@link OutboxPump#remove} that have left the disk
   * @param expired the entries that were too old, and have left the disk
   * @param failed whether the disk failed, so that another pass follows after the pause
   */
  public record Pass<T>(
      List<Written<T>> written, List<Long> removed, List<Outbox.Entry> expired, boolean failed) {}

  private record Encoded<T>(T item, Outbox.NewEntry entry) {}

  private final Outbox outbox;
  private final Owner<T> owner;
  private final Duration pause;
  private final Executor executor;
  private final Timer timer;

  /** The lock that is held while the disk is used; never acquired under another lock. */
  private final Object disk = new Object();

  /** Set while it is not known which entries of the last write are on the disk. */
  private @Nullable RuntimeException writeFailure;

  private boolean failedInPass;
  private boolean failing;

  private final Set<T> unwritten = new LinkedHashSet<>();
  private final Set<Long> unremoved = new LinkedHashSet<>();
  private Timer.@Nullable Timeout retry;
  private Timer.@Nullable Timeout nextExpiry;
  private boolean expiryDue;
  private boolean wanted;
  private boolean running;
  private boolean closed;

  /**
   * Creates a pump without items.
   *
   * @param outbox the outbox, which only this pump changes, and closes
   * @param pause the pause before a pass that follows a failure
   * @param executor runs the passes; if it rejects one, the calling thread runs it
   */
  public OutboxPump(Outbox outbox, Owner<T> owner, Duration pause, Executor executor, Timer timer) {
    this.outbox = outbox;
    this.owner = owner;
    this.pause = pause;
    this.executor = executor;
    this.timer = timer;
  }

  /** Adds an item for the next pass to write. Does not block, and may be called under a lock. */
  public synchronized void add(T item) {
    unwritten.add(item);
  }

  /** Drops an added item. Returns false if a pass has begun to write it. */
  public synchronized boolean discard(T item) {
    return unwritten.remove(item);
  }

  /** Returns whether added items wait for a pass. */
  public synchronized boolean hasUnwritten() {
    return !unwritten.isEmpty();
  }

  /** Adds an entry for the next pass to remove; an unknown sequence has no effect. */
  public synchronized void remove(long sequence) {
    unremoved.add(sequence);
  }

  /** Removes the entries that are too old with the next pass, and again after each period. */
  public synchronized void expireEvery(Duration period) {
    if (!closed) {
      expiryDue = true;
      nextExpiry = timer.schedule(period, this::handOver, () -> expireAgain(period));
    }
  }

  private void expireAgain(Duration period) {
    expireEvery(period);
    flush();
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  /** Begins a pass. Never called under a lock. */
  public void flush() {
    synchronized (this) {
      wanted = true;
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::run);
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      run();
    }
  }

  /** Begins a pass after the pause, unless one already waits for it. */
  public synchronized void flushLater() {
    if (!closed && retry == null) {
      retry = timer.schedule(pause, this::handOver, this::flushAgain);
    }
  }

  /**
   * Hands a timed task over to the executor; if that rejects it, again after the pause. A lost task
   * would be the last of its kind: no retry and no expiry would follow.
   */
  private void handOver(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      synchronized (this) {
        if (!closed) {
          LOG.warn(
              "outbox {}: the executor rejected a task; retrying in {}: {}",
              outbox.config().directory(),
              pause,
              refused.toString());
          timer.schedule(pause, this::handOver, task);
        }
      }
    }
  }

  private void flushAgain() {
    synchronized (this) {
      retry = null;
    }
    flush();
  }

  private void run() {
    while (true) {
      synchronized (this) {
        if (!wanted) {
          running = false;
          return;
        }
        wanted = false;
      }
      pass();
    }
  }

  private void pass() {
    Runnable following;
    synchronized (disk) {
      failedInPass = false;
      List<Outbox.Entry> expired = expire();
      List<Long> removed = removeEntries();
      findWritten();
      List<Written<T>> written = new ArrayList<>();
      writeAll(takeUnwritten(), written);
      following = owner.passed(this, new Pass<>(written, removed, expired, failedInPass));
      if (failing && !failedInPass) {
        failing = false;
        LOG.info("outbox {}: the disk works again", outbox.config().directory());
      }
    }
    following.run();
  }

  private List<Outbox.Entry> expire() {
    synchronized (this) {
      if (!expiryDue || closed) {
        return List.of();
      }
      expiryDue = false;
    }
    try {
      return outbox.expire();
    } catch (RuntimeException failure) {
      failed(failure);
      return List.of();
    }
  }

  private List<Long> removeEntries() {
    List<Long> removed;
    synchronized (this) {
      removed = closed ? List.of() : List.copyOf(unremoved);
    }
    if (removed.isEmpty()) {
      return removed;
    }
    try {
      outbox.remove(removed);
    } catch (RuntimeException failure) {
      failed(failure);
      return List.of();
    }
    synchronized (this) {
      removed.forEach(unremoved::remove);
    }
    return removed;
  }

  private void findWritten() {
    if (writeFailure == null) {
      return;
    }
    try {
      // Opens the file again, so that the index in memory agrees with the disk.
      outbox.remove(List.of());
      owner.findWritten();
      writeFailure = null;
    } catch (RuntimeException failure) {
      writeFailure = failure;
      failed(failure);
    }
  }

  private synchronized List<T> takeUnwritten() {
    List<T> items = List.copyOf(unwritten);
    unwritten.clear();
    return items;
  }

  private void writeAll(List<T> items, List<Written<T>> results) {
    for (int from = 0; from < items.size(); from += MAX_WRITE) {
      int to = Math.min(from + MAX_WRITE, items.size());
      write(encode(items.subList(from, to), results), results);
    }
  }

  private List<Encoded<T>> encode(List<T> items, List<Written<T>> results) {
    List<Encoded<T>> encoded = new ArrayList<>();
    for (T item : items) {
      try {
        encoded.add(new Encoded<>(item, owner.encode(item)));
      } catch (RuntimeException unwritable) {
        results.add(new Written<>(item, 0, unwritable));
      }
    }
    return encoded;
  }

  /**
   * Writes these items together if they fit; otherwise each half by itself, so that each item that
   * fits is written.
   */
  private void write(List<Encoded<T>> items, List<Written<T>> results) {
    if (writeFailure != null) {
      fail(items, writeFailure, results);
      return;
    }
    try {
      List<Long> sequences = outbox.addAll(items.stream().map(Encoded::entry).toList());
      for (int i = 0; i < items.size(); i++) {
        results.add(new Written<>(items.get(i).item(), sequences.get(i), null));
      }
    } catch (OutboxFullException full) {
      int half = items.size() / 2;
      if (half == 0) {
        fail(items, full, results);
      } else {
        write(items.subList(0, half), results);
        write(items.subList(half, items.size()), results);
      }
    } catch (RuntimeException failure) {
      writeFailure = failure;
      failed(failure);
      fail(items, failure, results);
    }
  }

  private void fail(List<Encoded<T>> items, RuntimeException failure, List<Written<T>> results) {
    items.forEach(item -> results.add(new Written<>(item.item(), 0, failure)));
  }

  /**
   * Records that the disk has failed, so that another pass follows after the pause. Called by the
   * owner when it could not read the outbox in {@link Owner#passed}.
   */
  public void failed(RuntimeException failure) {
    failedInPass = true;
    if (!failing && !isClosed()) {
      failing = true;
      LOG.error(
          "outbox {}: the disk fails; tried again every {}",
          outbox.config().directory(),
          pause,
          failure);
    }
    flushLater();
  }

  /** Writes the added items and closes the outbox. Idempotent. */
  @Override
  public void close() {
    do {
      pass();
    } while (hasUnwritten());
    synchronized (disk) {
      synchronized (this) {
        closed = true;
        Timer.cancel(retry);
        Timer.cancel(nextExpiry);
      }
      outbox.close();
    }
  }
}
