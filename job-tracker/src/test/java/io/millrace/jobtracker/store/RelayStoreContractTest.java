package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.relay.RelayStore;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayStoreContractTest extends StoreContract {
  private RelayStore store;

  @BeforeEach
  void takeStore() {
    store = stores.relays();
    database.execute("DELETE FROM jt_relay");
  }

  private static boolean record(Stores stores, String relay, long epoch, long now) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .inTransaction(
                    "test", () -> stores.relays().record(relay, epoch, now), recorded -> false));
  }

  @Test
  void recordsRisingEpochsAndTheSameAgain() {
    assertThat(record(stores, "a/1", 5, 100)).isTrue();
    assertThat(record(stores, "a/1", 5, 101)).isTrue();
    assertThat(record(stores, "a/1", Long.MAX_VALUE, 102)).isTrue();
    assertThat(record(stores, "a/1", 7, 103)).isFalse();
    assertThat(record(stores, "a/2", 7, 104)).isTrue();
    assertThat(database.query("SELECT seen_at FROM jt_relay ORDER BY relay"))
        .containsExactly("102", "104");
  }

  @Test
  void firstEpochsAtTheSameTimeLeaveTheHighest() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 10; round++) {
        String relay = "race/" + round;
        List<Callable<Boolean>> records =
            IntStream.range(0, 4)
                .<Callable<Boolean>>mapToObj(
                    i -> () -> record(i % 2 == 0 ? stores : other, relay, i, 100))
                .toList();

        assertThat(racer.together(records)).contains(true);

        assertThat(database.query("SELECT epoch FROM jt_relay WHERE relay = '" + relay + "'"))
            .containsExactly("3");
      }
    }
  }

  @Test
  void forgetsRelaysThatWereNotSeenForLong() {
    for (int i = 0; i < 5; i++) {
      record(stores, "old/" + i, 1, 100 + i);
    }
    assertThat(store.forget(103, 2)).isEqualTo(2);
    assertThat(store.forget(103, 2)).isEqualTo(1);
    assertThat(store.forget(103, 2)).isZero();
    assertThat(database.count("jt_relay")).isEqualTo(2);
  }
}
