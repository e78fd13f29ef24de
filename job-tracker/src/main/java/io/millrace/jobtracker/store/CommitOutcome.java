package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One piece of work whose outcome must be known before its result is used. Not thread-safe.
 *
 * @param <T> the result of the work
 */
public final class CommitOutcome<T> {
  /** After this many lost commits of one piece of work, the store counts as unavailable. */
  static final int MAX_RUNS = 4;

  /**
   * The maximum of checks for one lost commit: the pool may first return other dead connections.
   */
  static final int MAX_LOOKS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(CommitOutcome.class);

  /** The result of a run of the work; {@code last} is that of the run that tried to commit. */
  private record Result<T>(T value) {}

  private final Transactions transactions;
  private final String name;
  private final Supplier<T> work;
  private final @Nullable Predicate<T> tookEffect;
  private @Nullable Result<T> last;

  /**
   * Creates the settlement of one piece of work.
   *
   * @param tookEffect checks in the store whether the work took effect; null if the work itself
   *     checks
   */
  public CommitOutcome(
      Transactions transactions, String name, Supplier<T> work, @Nullable Predicate<T> tookEffect) {
    this.transactions = transactions;
    this.name = name;
    this.work = work;
    this.tookEffect = tookEffect;
  }

  /**
   * Runs the work until its outcome is known, and returns its result.
   *
   * @throws UnknownOutcomeException if the outcome cannot be determined
   */
  T settle() {
    try {
      return transactions.inTransaction(name, this::remembered);
    } catch (UnknownOutcomeException e) {
      return settleAfter(e);
    }
  }

  /**
   * As {@link #settle()}, after a first run whose commit was lost.
   *
   * @param first the result of that run
   * @param lost why its outcome is unknown
   */
  public T settle(T first, UnknownOutcomeException lost) {
    last = new Result<>(first);
    return settleAfter(lost);
  }

  private T settleAfter(UnknownOutcomeException lost) {
    @Nullable UnknownOutcomeException unknown = lost;
    Supplier<T> next = this::remembered;
    for (int run = 1; ; run++) {
      if (tookEffect != null && unknown != null) {
        if (looksDone(unknown)) {
          return done();
        }
        unknown = null;
        next = unlessLate(done());
      }
      if (run == MAX_RUNS) {
        throw unknown == null
            ? new StoreUnavailableException(name + ": " + MAX_RUNS + " commits failed", null)
            : unknown;
      }
      try {
        return transactions.inTransaction(name, next);
      } catch (UnknownOutcomeException e) {
        unknown = joined(e, unknown);
      } catch (StoreUnavailableException e) {
        // This run had no effect; the outcome of an earlier run may still be unknown.
        if (unknown == null) {
          throw e;
        }
        unknown.addSuppressed(e);
      }
    }
  }

  /**
   * Checks again before the next run. On a cluster the commit of an earlier run may arrive after
   * the check, because a lock on one node does not block another node. The next run writes the same
   * rows, so it loses against that commit, restarts, and checks again.
   */
  private Supplier<T> unlessLate(T former) {
    return () -> {
      if (Objects.requireNonNull(tookEffect, name).test(former)) {
        last = new Result<>(former);
        return former;
      }
      return remembered();
    };
  }

  private T remembered() {
    T value = work.get();
    last = new Result<>(value);
    return value;
  }

  private T done() {
    return Objects.requireNonNull(last, name).value();
  }

  private static UnknownOutcomeException joined(
      UnknownOutcomeException latest, @Nullable UnknownOutcomeException before) {
    if (before != null) {
      latest.addSuppressed(before);
    }
    return latest;
  }

  private boolean looksDone(UnknownOutcomeException unknown) {
    for (int look = 1; ; look++) {
      try {
        boolean done = transactions.inTransaction("outcome of " + name, this::tookEffect);
        LOG.warn(
            "{}: its commit failed with an unknown outcome; it {}",
            name,
            done ? "took effect" : "had no effect");
        return done;
      } catch (StoreUnavailableException | UnknownOutcomeException e) {
        if (look == MAX_LOOKS) {
          unknown.addSuppressed(e);
          throw unknown;
        }
      } catch (RuntimeException e) {
        unknown.addSuppressed(e);
        throw unknown;
      }
    }
  }

  private boolean tookEffect() {
    return Objects.requireNonNull(tookEffect, name).test(done());
  }
}
