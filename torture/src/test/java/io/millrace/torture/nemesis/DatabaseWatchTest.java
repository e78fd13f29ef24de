package io.millrace.torture.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.SystemClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatabaseWatchTest {
  /** As far as it goes here: a row that is there is replaced. */
  private static final String IN_MEMORY = "jdbc:h2:mem:watch;MODE=MySQL";

  private final FaultLog log = new FaultLog();
  private final List<String> told = new ArrayList<>();

  private void look(String url, Duration shortest) throws InterruptedException {
    try (DatabaseWatch watch =
        new DatabaseWatch(url, "", 2, shortest, new SystemClock(), log, told::add)) {
      watch.look();
    }
  }

  @Test
  void aNodeThatCannotBeReachedIsAskedAgainLater() throws InterruptedException {
    look("jdbc:h2:mem:nowhere;IFEXISTS=TRUE", Duration.ZERO);

    assertThat(log.faults()).isEmpty();
  }

  @Test
  void whatTakesLessIsNothing() throws InterruptedException {
    look(IN_MEMORY, Duration.ofHours(1));

    assertThat(told).isEmpty();
    assertThat(log.faults()).isEmpty();
  }

  @Test
  void whatTakesLongerIsOnRecord() throws InterruptedException {
    look(IN_MEMORY, Duration.ZERO);

    assertThat(log.faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.victim()).isEqualTo(new Victim(Victim.Part.DATABASE, 2));
              assertThat(fault.kind()).isEqualTo(Fault.Kind.STALL);
            });
    assertThat(told).singleElement().asString().startsWith("database-2 took ");
  }
}
