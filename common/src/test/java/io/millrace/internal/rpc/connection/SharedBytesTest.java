package io.millrace.internal.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedBytesTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final SharedBytes bytes = new SharedBytes(100, clock);
  private final List<String> cut = new ArrayList<>();

  @Test
  void connectionThatHeldSomeForTheLongestIsCutHoweverLittleItHolds() {
    SharedBytes.Account slow = open("slow");
    SharedBytes.Account large = open("large");
    slow.add(1);
    clock.advance(Duration.ofMillis(1));
    large.add(99);

    large.add(1);

    assertThat(cut).containsExactly("slow");
    assertThat(bytes.total()).isEqualTo(100);
  }

  @Test
  void connectionThatWasEmptyInBetweenBeginsAnew() {
    SharedBytes.Account busy = open("busy");
    SharedBytes.Account slow = open("slow");
    busy.add(50);
    clock.advance(Duration.ofMillis(1));
    slow.add(40);
    clock.advance(Duration.ofMillis(1));
    busy.add(-50);
    busy.add(61);

    assertThat(cut).containsExactly("slow");
    assertThat(busy.held()).isEqualTo(61);
  }

  @Test
  void frameThatBeganAnewCountsFromThen() {
    SharedBytes.Account busy = open("busy");
    SharedBytes.Account slow = open("slow");
    busy.hold(10, true);
    clock.advance(Duration.ofMillis(5));
    slow.hold(10, true);
    clock.advance(Duration.ofMillis(5));
    busy.hold(20, true);

    assertThat(busy.heldFor()).isZero();
    assertThat(slow.heldFor()).isEqualTo(Duration.ofMillis(5));

    busy.hold(91, false);

    assertThat(cut).containsExactly("slow");
  }

  @Test
  void asManyAreCutAsItTakes() {
    for (int i = 0; i < 10; i++) {
      open("small " + i).add(10);
      clock.advance(Duration.ofMillis(1));
    }
    open("large").add(35);

    assertThat(cut).containsExactly("small 0", "small 1", "small 2", "small 3");
    assertThat(bytes.total()).isEqualTo(95);
  }

  @Test
  void closedAccountGivesEverythingBackAndCountsNothingMore() {
    SharedBytes.Account account = open("a");
    account.add(60);
    account.close();
    account.add(60);
    account.add(-60);
    account.close();

    assertThat(bytes.total()).isZero();
    assertThat(account.heldFor()).isZero();
  }

  private SharedBytes.Account open(String name) {
    return bytes.open(() -> cut.add(name));
  }
}
