package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Holds claims back when they have been committed and before anybody is told. */
final class HeldClaims extends ForwardingTransactions {
  private final CountDownLatch committed = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  private HeldClaims(Transactions real) {
    super(real);
  }

  static HeldClaims of(Stores stores) {
    return new HeldClaims(stores.transactions());
  }

  /** The stores, with claims held here. */
  Stores in(Stores stores) {
    return around(stores, this);
  }

  boolean isOneCommitted() {
    return committed.getCount() == 0;
  }

  void release() {
    released.countDown();
  }

  @Override
  public <T> T inTransaction(String name, Supplier<T> work) {
    T result = super.inTransaction(name, work);
    if (name.startsWith("claim from")) {
      committed.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return result;
  }
}
