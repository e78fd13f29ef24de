package io.millrace.console.http.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something of which there is a limited amount, and of which no owner gets more than a share.
 * Thread-safe.
 */
final class Shares {
  private final long total;
  private final long share;
  private final Map<String, Long> taken = new HashMap<>();
  private long takenInAll;

  /**
   * @param total that all may have together
   * @param share that one may have of it
   */
  Shares(long total, long share) {
    this.total = total;
    this.share = share;
  }

  /**
   * Takes some for this owner.
   *
   * @return gives it back, once however often it is run; empty if there is no more, or no more for
   *     this owner
   */
  synchronized Optional<Runnable> take(String owner, long amount) {
    long own = taken.getOrDefault(owner, 0L) + amount;
    if (takenInAll + amount > total || own > share) {
      return Optional.empty();
    }
    takenInAll += amount;
    taken.put(owner, own);
    AtomicBoolean given = new AtomicBoolean();
    return Optional.of(
        () -> {
          if (given.compareAndSet(false, true)) {
            giveBack(owner, amount);
          }
        });
  }

  private synchronized void giveBack(String owner, long amount) {
    takenInAll -= amount;
    taken.computeIfPresent(owner, (name, had) -> had > amount ? had - amount : null);
  }
}
