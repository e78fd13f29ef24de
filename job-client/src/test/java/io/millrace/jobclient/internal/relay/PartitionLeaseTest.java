package io.millrace.jobclient.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.RelayEpoch;
import org.junit.jupiter.api.Test;

class PartitionLeaseTest {

  @Test
  void epochsRiseWithEachAttemptAndWithEachLease() {
    PartitionLease lease = new PartitionLease(3, "shop", 1_000);

    RelayEpoch first = lease.nextAttempt();
    RelayEpoch second = lease.nextAttempt();
    RelayEpoch ofTheNext = new PartitionLease(3, "shop", 1_001).nextAttempt();

    assertThat(first.relay()).isEqualTo("shop/3");
    assertThat(second.epoch()).isEqualTo(first.epoch() + 1);
    assertThat(ofTheNext.epoch()).isGreaterThan(second.epoch());
  }

  @Test
  void leaseThatIsUsedUpHasAttemptsForTheRoundUnderWay() {
    PartitionLease lease = new PartitionLease(3, "shop", 1_000);
    while (!lease.isUsedUp()) {
      RelayEpoch unused = lease.nextAttempt();
    }
    RelayEpoch last = lease.nextAttempt();
    for (int i = 0; i < 1_500; i++) {
      last = lease.nextAttempt();
    }

    assertThat(last.epoch()).isLessThan(new PartitionLease(3, "shop", 1_001).nextAttempt().epoch());
  }
}
