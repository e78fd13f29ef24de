package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CommitOutcomeTest {
  private static final StoreException GONE = new StoreUnavailableException("no database", null);

  /** What each transaction throws at its commit, in order; then none does. */
  private final Deque<Optional<StoreException>> faults = new ArrayDeque<>();

  private int runs;
  private int looks;

  private final Transactions transactions =
      new Transactions() {
        @Override
        public <T> T inTransaction(String name, Supplier<T> work) {
          T result = work.get();
          Optional<StoreException> fault = faults.isEmpty() ? Optional.empty() : faults.remove();
          if (fault.isPresent()) {
            throw fault.get();
          }
          return result;
        }

        @Override
        public int submitsAtATime() {
          return 1;
        }

        @Override
        public Runnable listen(CommitListener listener) {
          throw new UnsupportedOperationException();
        }
      };

  private static StoreException unknown() {
    return new UnknownOutcomeException("lost", new Exception());
  }

  private int write(boolean tookEffect, StoreException... inTurn) {
    Stream.of(inTurn).map(Optional::ofNullable).forEach(faults::add);
    return transactions.inTransaction(
        "write",
        () -> ++runs,
        run -> {
          looks++;
          assertThat(run).isEqualTo(runs);
          return tookEffect;
        });
  }

  private int repeat(StoreException... inTurn) {
    Stream.of(inTurn).map(Optional::ofNullable).forEach(faults::add);
    return transactions.repeating("write", () -> ++runs);
  }

  @Test
  void outcomeThatIsKnownIsNotLookedAt() {
    assertThat(write(false)).isEqualTo(1);
    assertThat(looks).isZero();
  }

  @Test
  void workThatTookEffectIsNotDoneAgain() {
    assertThat(write(true, unknown())).isEqualTo(1);
    assertThat(runs).isEqualTo(1);
  }

  @Test
  void workThatDidNotTakeEffectIsDoneAgain() {
    assertThat(write(false, unknown())).isEqualTo(2);
  }

  /** As on a cluster, whose nodes do not keep one another's commits out by locks. */
  @Test
  void commitThatArrivesBehindTheLookIsFoundByTheRunThatFollows() {
    faults.add(Optional.of(unknown()));

    int result =
        transactions.inTransaction(
            "write",
            () -> ++runs,
            run -> {
              assertThat(run).isEqualTo(1);
              return ++looks == 2;
            });

    assertThat(result).isEqualTo(1);
    assertThat(runs).isEqualTo(1);
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void lookIsRepeatedWhileTheStoreCannotBeReached() {
    assertThat(write(true, unknown(), GONE, unknown(), GONE)).isEqualTo(1);
    assertThat(looks).isEqualTo(4);
  }

  @Test
  void outcomeStaysUnknownIfNobodyCanLook() {
    assertThatThrownBy(() -> write(true, unknown(), GONE, GONE, GONE, GONE))
        .isInstanceOf(UnknownOutcomeException.class);
    assertThat(runs).isEqualTo(1);
  }

  /** The lost transaction may still live and hold the rows, and may yet commit. */
  @Test
  void outcomeStaysUnknownWhileItsRowsAreHeld() {
    StoreException held = new StoreBusyException("waited", new Exception());
    assertThatThrownBy(() -> write(false, unknown(), held))
        .isInstanceOf(UnknownOutcomeException.class);
    assertThat(runs).isEqualTo(1);
  }

  @Test
  void whatIsKnownToHaveDoneNothingFailsAsUnavailable() {
    assertThatThrownBy(() -> write(false, unknown(), null, GONE)).isSameAs(GONE);
  }

  @Test
  void repeatedWorkAnswersForItsFirstRun() {
    assertThat(repeat(unknown(), GONE, unknown())).isEqualTo(4);
  }

  @Test
  void repeatedWorkStaysUnknownIfNoRunIsAnswered() {
    assertThatThrownBy(() -> repeat(unknown(), GONE, GONE, GONE))
        .isInstanceOf(UnknownOutcomeException.class);
    assertThat(runs).isEqualTo(CommitOutcome.MAX_RUNS);
  }

  @Test
  void workThatNeverBeganIsNotRepeated() {
    assertThatThrownBy(() -> repeat(GONE)).isSameAs(GONE);
    assertThat(runs).isEqualTo(1);
  }
}
