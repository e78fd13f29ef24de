package io.millrace.jobtracker.metrics;

import io.millrace.jobtracker.domain.trigger.LedgerRow;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.WaitingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
  private static final Method INSERT = method(WaitingStore.class, "insert", List.class);
  private static final Method DELETE = method(WaitingStore.class, "delete", Collection.class);
  private static final Method APPEND = ledgerMethod("append", List.class);

  /** Called with what a transaction has written, after its commit. */
  private final Counting counting;

  /** Of the transaction of the calling thread; there is one of these for each tracker. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<WrittenRows> open = new ThreadLocal<>();

  /** Counts what was committed. */
  interface Counting {
    void planned(String nodeGroup, long triggers);

    void ended(LedgerRow row);
  }

  CommittedRows(Counting counting) {
    this.counting = counting;
  }

  /** The stores with their writes counted. */
  Stores around(Stores stores) {
    return new Stores(
        new CountedTransactions(stores.transactions()),
        stores.jobs(),
        noting(WaitingStore.class, stores.waiting()),
        stores.executing(),
        noting(LedgerStore.class, stores.ledger()),
        stores.dead(),
        stores.knownJobs(),
        stores.feedback(),
        stores.jobLog(),
        stores.nodeGroups(),
        stores.trackers(),
        stores.time(),
        stores.console());
  }

  private static Method method(Class<?> store, String name, Class<?> rows) {
    return find(store, name, String.class, rows);
  }

  private static Method ledgerMethod(String name, Class<?> rows) {
    return find(LedgerStore.class, name, rows);
  }

  /** A method that is called otherwise by now must not go uncounted in silence. */
  private static Method find(Class<?> store, String name, Class<?>... parameters) {
    try {
      return store.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(store + " has no " + name, e);
    }
  }

  /** A proxy, because of the many methods of a store two are of interest. */
  private <S> S noting(Class<S> type, S real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
              note(method, arguments);
              return result;
            }));
  }

  private void note(Method method, Object[] arguments) {
    if (method.equals(INSERT)) {
      note(written -> written.inserted((String) arguments[0], triggers(arguments[1])));
    } else if (method.equals(DELETE)) {
      note(written -> written.deleted((Collection<?>) arguments[1]));
    } else if (method.equals(APPEND)) {
      note(written -> written.ended(rows(arguments[0])));
    }
  }

  @SuppressWarnings("unchecked")
  private static List<WaitingTrigger> triggers(Object argument) {
    return (List<WaitingTrigger>) argument;
  }

  @SuppressWarnings("unchecked")
  private static List<LedgerRow> rows(Object argument) {
    return (List<LedgerRow>) argument;
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
