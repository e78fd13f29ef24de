package io.millrace.jobtracker.metrics;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.ForwardingLedgerStore;
import io.millrace.jobtracker.store.ForwardingWaitingStore;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.WaitingStore;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Wraps the stores and counts the triggers and the ends that transactions have written, after they
 * have committed. It counts them whichever package wrote them, and never counts rows that were
 * rolled back. A commit whose outcome had to be looked up counts as well, except where the work
 * itself finds out what it had done. Thread-safe.
 */
final class CommittedRows {
  /** Called after a commit with the rows that the transaction has written. */
  private final Counting counting;

  /** The rows written by the transaction of the calling thread; each tracker has one of these. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<WrittenRows> open = new ThreadLocal<>();

  /** Counts the rows that were committed. */
  interface Counting {
    void planned(String nodeGroup, long triggers);

    void ended(LedgerEntry row);
  }

  CommittedRows(Counting counting) {
    this.counting = counting;
  }

  /** Returns the stores with their writes counted. */
  Stores around(Stores stores) {
    return new Stores(
        new CountedTransactions(stores.transactions()),
        stores.jobs(),
        noting(stores.waiting()),
        stores.executing(),
        noting(stores.ledger()),
        stores.dead(),
        stores.knownJobs(),
        stores.feedback(),
        stores.jobLog(),
        stores.nodeGroups(),
        stores.trackers(),
        stores.time(),
        stores.console());
  }

  private WaitingStore noting(WaitingStore real) {
    return new ForwardingWaitingStore(real) {
      @Override
      public void insert(String nodeGroup, List<WaitingTrigger> triggers) {
        super.insert(nodeGroup, triggers);
        note(written -> written.inserted(nodeGroup, triggers));
      }

      @Override
      public int delete(String nodeGroup, Collection<Long> ids) {
        int deleted = super.delete(nodeGroup, ids);
        note(written -> written.deleted(ids));
        return deleted;
      }
    };
  }

  private LedgerStore noting(LedgerStore real) {
    return new ForwardingLedgerStore(real) {
      @Override
      public void append(List<LedgerEntry> rows) {
        super.append(rows);
        note(written -> written.ended(rows));
      }
    };
  }

  private interface Note {
    void in(WrittenRows written);
  }

  /** Outside a transaction each statement has a commit of its own, which is complete here. */
  private void note(Note note) {
    WrittenRows ofTransaction = open.get();
    if (ofTransaction != null) {
      note.in(ofTransaction);
    } else {
      WrittenRows alone = new WrittenRows();
      note.in(alone);
      alone.count(counting);
    }
  }

  /** The result of a run of the work, and the rows which that run has written. */
  private record Run<T>(T result, WrittenRows written) {}

  /** Transactions that count the rows written in them. */
  private final class CountedTransactions implements Transactions {
    private final Transactions real;

    CountedTransactions(Transactions real) {
      this.real = real;
    }

    @Override
    public <T> T inTransaction(String name, Supplier<T> work) {
      return counted(real.inTransaction(name, () -> noted(work)));
    }

    @Override
    public <T> T inTransaction(String name, Supplier<T> work, Predicate<T> tookEffect) {
      return counted(
          real.inTransaction(
              name, () -> noted(work), (Run<T> run) -> tookEffect.test(run.result())));
    }

    @Override
    public <T> T repeating(String name, Supplier<T> work) {
      return counted(real.repeating(name, () -> noted(work)));
    }

    private <T> Run<T> noted(Supplier<T> work) {
      WrittenRows written = new WrittenRows();
      open.set(written);
      try {
        return new Run<>(work.get(), written);
      } finally {
        open.remove();
      }
    }

    private <T> T counted(Run<T> run) {
      run.written().count(counting);
      return run.result();
    }
  }
}
