package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Transactions of which the next claim takes long enough for something to happen meanwhile. */
final class SlowClaims extends ForwardingTransactions {
  private final AtomicReference<Runnable> meanwhile;

  private SlowClaims(Transactions real, AtomicReference<Runnable> meanwhile) {
    super(real);
    this.meanwhile = meanwhile;
  }

  static Stores around(Stores stores, AtomicReference<Runnable> meanwhile) {
    return around(stores, new SlowClaims(stores.transactions(), meanwhile));
  }

  @Override
  public <T> T inTransaction(String name, Supplier<T> work) {
    pause(name);
    return real.inTransaction(name, work);
  }

  @Override
  public <T> T inTransaction(String name, Supplier<T> work, Predicate<T> tookEffect) {
    pause(name);
    return real.inTransaction(name, work, tookEffect);
  }

  private void pause(String name) {
    if (name.startsWith("claim")) {
      meanwhile.getAndSet(() -> {}).run();
    }
  }
}
