package io.millrace.torture.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultLogTest {
  @Test
  void keepsFaultsInTheOrderInWhichTheyWereHealed() {
    FaultLog log = new FaultLog();
    Fault cut = new Fault(Fault.Kind.CUT, new Victim(Victim.Part.DATABASE_LINK, 1), 10, 40);
    Fault kill = new Fault(Fault.Kind.KILL, new Victim(Victim.Part.WORKER, 2), 20, 30);

    log.add(kill);
    log.add(cut);

    assertThat(log.faults()).containsExactly(kill, cut);
    assertThat(cut.victim()).hasToString("link to the database-1");
  }
}
