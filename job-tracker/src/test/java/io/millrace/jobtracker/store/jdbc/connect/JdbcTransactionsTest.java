package io.millrace.jobtracker.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.internal.time.ManualClock;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.h2.H2Dialect;
import io.millrace.jobtracker.store.jdbc.sql.LostToConcurrencyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class JdbcTransactionsTest {
  private final List<Duration> pauses = new ArrayList<>();
  private final Transactions transactions = transactions(pauses::add);

  private static Transactions transactions(RetryPause pause) {
    return new JdbcTransactions(
        new DriverManagerDataSource("jdbc:h2:mem:"),
        new H2Dialect(),
        pause,
        new StoreWatch(new ManualClock(0), new SimpleMeterRegistry()));
  }

  private static LostToConcurrencyException lost() {
    return new LostToConcurrencyException("a deadlock", new IllegalStateException(), false);
  }

  @Test
  void lostWorkRunsAgainAfterGrowingPausesUntilItSucceeds() {
    AtomicInteger attempts = new AtomicInteger();

    int result =
        transactions.inTransaction(
            "move",
            () -> {
              if (attempts.incrementAndGet() < 4) {
                throw lost();
              }
              return attempts.get();
            });

    assertThat(result).isEqualTo(4);
    assertThat(pauses)
        .containsExactly(Duration.ofMillis(2), Duration.ofMillis(4), Duration.ofMillis(8));
  }

  @Test
  void lostWorkIsGivenUpAfterABoundedNumberOfAttempts() {
    AtomicInteger attempts = new AtomicInteger();

    assertThatThrownBy(
            () ->
                transactions.run(
                    "move",
                    () -> {
                      attempts.incrementAndGet();
                      throw lost();
                    }))
        .isExactlyInstanceOf(StoreBusyException.class)
        .hasMessage("move gave up after 10 attempts: a deadlock");

    assertThat(attempts).hasValue(JdbcTransactions.MAX_ATTEMPTS);
    assertThat(pauses)
        .hasSize(JdbcTransactions.MAX_ATTEMPTS - 1)
        .allMatch(pause -> pause.compareTo(JdbcTransactions.MAX_PAUSE) <= 0);
  }

  /** Each wait holds up whoever is behind it. */
  @Test
  void workThatWaitedInVainIsGivenUpSooner() {
    AtomicInteger attempts = new AtomicInteger();

    assertThatThrownBy(
            () ->
                transactions.run(
                    "move",
                    () -> {
                      attempts.incrementAndGet();
                      throw new LostToConcurrencyException("no lock", new Exception(), true);
                    }))
        .isExactlyInstanceOf(StoreBusyException.class);

    assertThat(attempts).hasValue(JdbcTransactions.MAX_WAITS);
  }

  @Test
  void otherFailuresAreNotTriedAgain() {
    AtomicInteger attempts = new AtomicInteger();
    StoreException failure = new StoreException("disk full", null);

    assertThatThrownBy(
            () ->
                transactions.run(
                    "move",
                    () -> {
                      attempts.incrementAndGet();
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void interruptEndsThePauseAndIsKept() {
    Transactions interrupted =
        transactions(
            pause -> {
              throw new InterruptedException();
            });

    assertThatThrownBy(
            () ->
                interrupted.run(
                    "move",
                    () -> {
                      throw lost();
                    }))
        .as("what passes, and says nothing about what was to be written")
        .isInstanceOf(StoreBusyException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
