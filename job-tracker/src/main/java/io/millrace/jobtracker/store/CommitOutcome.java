package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One piece of work whose outcome is to be known before anything is made of it. */
final class CommitOutcome<T> {
  /** A store that loses this many commits of one piece of work is not there to write to. */
  static final int MAX_RUNS = 4;

  /** The first connections that a pool hands out may be as dead as the one that was lost. */
  static final int MAX_LOOKS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(CommitOutcome.class);

  /** What a run of the work came to; that of the run which was to commit is the last. */
  private record Result<T>(T value) {}

  private final Transactions transactions;
  private final String name;
  private final Supplier<T> work;
  private final @Nullable Predicate<T> tookEffect;
  private @Nullable Result<T> last;

  /**
   * @param tookEffect looks in the store; null if the work itself does
   */
  CommitOutcome(
      Transactions transactions, String name, Supplier<T> work, @Nullable Predicate<T> tookEffect) {
    this.transactions = transactions;
    this.name = name;
    this.work = work;
    this.tookEffect = tookEffect;
  }

  /**
   * @throws UnknownOutcomeException if the outcome cannot be found out
   */
  T settle() {
    @Nullable UnknownOutcomeException unknown = null;
    Supplier<T> next = this::remembered;
    for (int run = 1; run <= MAX_RUNS; run++) {
      try {
        return transactions.inTransaction(name, next);
      } catch (UnknownOutcomeException e) {
        unknown = joined(e, unknown);
        if (tookEffect == null) {
          continue;
        }
      } catch (StoreUnavailableException e) {
        // This run did nothing; but of one before it nothing is known.
        if (unknown == null) {
          throw e;
        }
        unknown.addSuppressed(e);
        continue;
      }
      if (looksDone(unknown)) {
        return done();
      }
      unknown = null;
      next = unlessLate(done());
    }
    throw unknown == null
        ? new StoreUnavailableException(name + ": " + MAX_RUNS + " commits were lost", null)
        : unknown;
  }

  /**
   * On a cluster the commit of a former run may arrive after it was looked for: at another node, no
   * lock keeps it out. The run that follows writes the same rows, so it loses against that commit,
   * is begun again, and looks again.
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
        LOG.warn("{}: its commit was lost; it {}", name, done ? "took effect" : "did not");
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
