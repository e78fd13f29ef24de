package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The database runs on this machine, so its clock is this machine's, whatever the session's zone.
 */
class DatabaseTimeContractTest extends StoreContract {

  @Test
  void isTheMachinesClockWhateverTheTimeZones() {
    long before = System.currentTimeMillis();
    long now = stores.time().databaseNow();
    long after = System.currentTimeMillis();

    assertThat(now).isBetween(before - 1, after + 1);
  }

  @Test
  void goesOnFromReadingToReading() {
    long first = stores.time().databaseNow();

    await().atMost(Duration.ofSeconds(5)).until(() -> stores.time().databaseNow() > first);
  }

  @Test
  void isNotReadInsideATransactionWhichMayHoldItStill() {
    assertThatThrownBy(() -> stores.transactions().run("outer", () -> stores.time().databaseNow()))
        .isInstanceOf(IllegalStateException.class);
  }
}
