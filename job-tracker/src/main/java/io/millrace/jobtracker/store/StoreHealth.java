package io.millrace.jobtracker.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether the store answers, as far as this tracker's own transactions have shown. To look asks
 * nothing of the store itself. Thread-safe.
 */
@FunctionalInterface
public interface StoreHealth {
  /** Of a store that nobody watches. */
  StoreHealth UNWATCHED = Optional::empty;

  /** What is wrong with the store; empty while it answers. */
  Optional<Trouble> trouble();

  /**
   * A store that does not answer.
   *
   * @param lasting how long it has not
   * @param reason what it said last, or that it says nothing
   */
  record Trouble(Duration lasting, String reason) {
    @Override
    public String toString() {
      return "the store has not answered for %.1f s: %s"
          .formatted(lasting.toMillis() / 1000.0, reason);
    }
  }
}
