package io.millrace.console.http.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A resource of limited amount, of which each owner gets at most a share. Thread-safe. */
final class Shares {
  private final long total;
  private final long share;
  private final Map<String, Long> taken = new HashMap<>();
  private long takenInAll;

  /**
   * @param total the most that all owners may hold together
   * @param share the most that one owner may hold
   */
  Shares(long total, long share) {
    this.total = total;
    this.share = share;
  }

  /**
   * Takes an amount for this owner.
   *
   * @return returns the amount, once however often it runs; empty if the total or the owner's share
   *     is exhausted
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
