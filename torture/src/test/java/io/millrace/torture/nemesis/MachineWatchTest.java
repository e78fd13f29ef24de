package io.millrace.torture.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineWatchTest {
  @TempDir Path directory;

  private final FaultLog log = new FaultLog();
  private final List<String> told = new ArrayList<>();

  private void look(Duration shortest) throws InterruptedException {
    try (MachineWatch watch =
        MachineWatch.open(
            directory.resolve("machine"), shortest, new SystemClock(), log, told::add)) {
      watch.look();
    }
  }

  @Test
  void whatTakesLessIsNothing() throws InterruptedException {
    look(Duration.ofHours(1));

    assertThat(log.faults()).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void whatTakesLongerIsOnRecord() throws InterruptedException {
    look(Duration.ZERO);

    assertThat(log.faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.victim()).isEqualTo(new Victim(Victim.Part.MACHINE, 1));
              assertThat(fault.kind()).isEqualTo(Fault.Kind.STALL);
              assertThat(fault.healedAt()).isGreaterThan(fault.beganAt());
            });
    assertThat(told).singleElement().asString().startsWith("the machine was not running for ");
  }
}
