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
 * Stands around the stores and counts the triggers and the ends that transactions have written,
 * once they have committed: whichever room wrote them, and only if they are there to stay. A commit
 * whose outcome had to be looked up counts as well, except where the work itself finds out what it
 * had done. Thread-safe.
 */
final class CommittedRows {
  /** Called with what a transaction has written, after its commit. */
  private final Counting counting;

  /** Of the transaction of the calling thread; there is one of these for each tracker. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<WrittenRows> open = new ThreadLocal<>();

  /** Counts what was committed. */
  interface Counting {
    void planned(String nodeGroup, long triggers);

    void ended(LedgerEntry row);
  }

  CommittedRows(Counting counting) {
    this.counting = counting;
  }

  /** The stores with their writes counted. */
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

  /** A statement outside of a transaction has a commit of its own, which is over. */
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

  /** The result of a run of the work, and what that run has written. */
  private record Run<T>(T result, WrittenRows written) {}

  /** Transactions that count what was written in them. */
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
