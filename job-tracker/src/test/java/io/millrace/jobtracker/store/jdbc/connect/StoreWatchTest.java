package io.millrace.jobtracker.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.internal.time.ManualClock;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreWatchTest {
  private static final Duration PATIENCE = StoreWatch.PATIENCE;

  private final ManualClock clock = new ManualClock(0);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final StoreWatch watch = new StoreWatch(clock, meters);

  @Test
  void sayNothingOfAStoreThatIsNotAsked() {
    clock.advance(PATIENCE.multipliedBy(10));

    assertThat(watch.trouble()).isEmpty();
  }

  @Test
  void aSlowAnswerIsTroubleUntilItComes() {
    watch.begun();
    clock.advance(PATIENCE.minusMillis(1));
    assertThat(watch.trouble()).isEmpty();

    clock.advance(Duration.ofMillis(1));
    assertThat(watch.trouble())
        .hasValueSatisfying(
            trouble ->
                assertThat(trouble)
                    .hasToString(
                        "the store has not answered for 3.0 s: transactions are waiting for"
                            + " an answer"));
    assertThat(available()).isZero();

    watch.answered();
    assertThat(watch.trouble()).isEmpty();
    assertThat(available()).isOne();
  }

  @Test
  void oneFailureIsNoTroubleYetAndManyAre() {
    fail(new StoreUnavailableException("begin: refused", null));
    assertThat(watch.trouble()).isEmpty();

    clock.advance(PATIENCE);
    fail(new StoreUnavailableException("begin: refused again", null));

    assertThat(watch.trouble())
        .hasValueSatisfying(
            trouble -> assertThat(trouble.reason()).isEqualTo("begin: refused again"));
  }

  @Test
  void whoWaitsWhileOthersAreAnsweredIsNoTrouble() {
    watch.begun();
    for (int i = 0; i < 10; i++) {
      clock.advance(PATIENCE.dividedBy(2));
      watch.begun();
      watch.answered();
      assertThat(watch.trouble()).isEmpty();
    }
  }

  @Test
  void anErrorOfTheStatementIsAnAnswer() {
    watch.begun();
    clock.advance(PATIENCE);
    watch.failed(new StoreException("insert: duplicate", null));

    assertThat(watch.trouble()).isEmpty();
    assertThat(count("answered")).isOne();
  }

  @Test
  void readsThatAreAnsweredDoNotEndARefusalToWrite() {
    fail(readOnly());
    assertThat(watch.trouble()).isEmpty();

    clock.advance(PATIENCE);
    read();
    assertThat(watch.trouble())
        .hasValueSatisfying(
            trouble ->
                assertThat(trouble)
                    .hasToString("the store has refused to write for 3.0 s: insert: read only"));
    assertThat(available()).isZero();

    watch.begun();
    watch.wrote();
    watch.answered();
    assertThat(watch.trouble()).isEmpty();
    assertThat(available()).isOne();
  }

  /** What was written before the refusal is rolled back with it. */
  @Test
  void transactionThatWroteAndWasRefusedHasNotWritten() {
    fail(readOnly());
    clock.advance(PATIENCE);
    watch.begun();
    watch.wrote();
    watch.failed(readOnly());
    read();

    assertThat(watch.trouble()).isPresent();
  }

  private static StoreUnavailableException readOnly() {
    return new StoreUnavailableException("insert: read only", null, true);
  }

  private void read() {
    watch.begun();
    watch.answered();
  }

  @Test
  void countsWhatBecameOfTransactions() {
    fail(new StoreUnavailableException("gone", null));
    fail(new UnknownOutcomeException("cut", new RuntimeException()));
    fail(new UnknownOutcomeException("cut", new RuntimeException()));

    assertThat(count("unavailable")).isOne();
    assertThat(count("unknown")).isEqualTo(2);
    assertThat(count("answered")).isZero();
  }

  private void fail(StoreException error) {
    watch.begun();
    watch.failed(error);
  }

  private double available() {
    return meters.get("millrace.store.available").gauge().value();
  }

  private double count(String outcome) {
    return meters.get("millrace.store.transactions").tag("outcome", outcome).counter().count();
  }
}
