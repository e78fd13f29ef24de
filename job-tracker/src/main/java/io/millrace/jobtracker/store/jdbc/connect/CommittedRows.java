package io.millrace.jobtracker.store.jdbc.connect;

import io.millrace.jobtracker.store.CommitListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records the rows that transactions write, and reports them once committed. Thread-safe. */
final class CommittedRows {
  private final List<CommitListener> listeners = new CopyOnWriteArrayList<>();

  /** The rows written by the transaction of the calling thread. */
  @SuppressWarnings("ThreadLocalUsage") // one store, which lives as long as its process
  private final ThreadLocal<@Nullable WrittenRows> open = new ThreadLocal<>();

  /** The result of a run of the work, and the rows that this run has written. */
  record Run<T>(T result, WrittenRows written) {}

  Runnable listen(CommitListener listener) {
    listeners.add(listener);
    return () -> {
      boolean unused = listeners.remove(listener);
    };
  }

  /**
   * Wraps work so that each run of it also returns the rows that it has written. If the work is
   * wrapped twice, the inner wrapper receives them.
   */
  <T> Supplier<Run<T>> recording(Supplier<T> work) {
    return () -> {
      WrittenRows outer = open.get();
      WrittenRows written = new WrittenRows();
      open.set(written);
      try {
        return new Run<>(work.get(), written);
      } finally {
        if (outer == null) {
          open.remove();
        } else {
          open.set(outer);
        }
      }
    };
  }

  /** The rows that the calling thread's transaction has written so far. */
  WrittenRows ofThisTransaction() {
    WrittenRows written = open.get();
    if (written == null) {
      throw new IllegalStateException("rows are written in a transaction");
    }
    return written;
  }

  /** Reports the rows of a run that has committed, and returns its result. */
  <T> T report(Run<T> committed) {
    listeners.forEach(committed.written()::report);
    return committed.result();
  }
}
