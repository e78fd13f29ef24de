package io.millrace.jobtracker.simulation;

import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Wraps a store so that some of its transactions fail before they begin, or roll back at the end.
 */
final class FailingTransactions extends ForwardingTransactions {
  private final Random random;
  private final double share;
  private int failed;

  private FailingTransactions(Transactions real, Random random, double share) {
    super(real);
    this.random = random;
    this.share = share;
  }

  static FailingTransactions of(Stores stores, long seed, double share) {
    return new FailingTransactions(stores.transactions(), new Random(seed), share);
  }

  int failed() {
    return failed;
  }

  @Override
  public <T> T inTransaction(String name, Supplier<T> work) {
    double chance = random.nextDouble();
    if (chance < share / 2) {
      throw failure(name);
    }
    return super.inTransaction(
        name,
        () -> {
          T result = work.get();
          if (chance < share) {
            throw failure(name);
          }
          return result;
        });
  }

  private StoreUnavailableException failure(String name) {
    failed++;
    return new StoreUnavailableException(name + ": the simulation took the store away", null);
  }
}
