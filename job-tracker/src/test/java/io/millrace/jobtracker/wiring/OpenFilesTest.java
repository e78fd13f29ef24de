package io.millrace.jobtracker.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.console.ConsoleConfig;
import org.junit.jupiter.api.Test;

class OpenFilesTest {
  private static final ConsoleConfig CONSOLE = ConsoleConfig.onLoopback(0);

  @Test
  void theConsoleTakesAQuarterOfTheFilesAtTheMost() {
    assertThat(new OpenFiles(1_024).within(CONSOLE).limits().connections()).isEqualTo(240);
    assertThat(new OpenFiles(2_064).within(CONSOLE)).isSameAs(CONSOLE);
    assertThat(new OpenFiles(40).within(CONSOLE).limits().connections()).isEqualTo(1);
  }

  @Test
  void boundsThatDoNotFitAreTold() {
    assertThat(new OpenFiles(2_048).shortage(10_000, CONSOLE))
        .hasValueSatisfying(
            text -> assertThat(text).contains("2048", "10716", "ulimit -n", "rpc.max-connections"));
    assertThat(new OpenFiles(10_716).shortage(10_000, CONSOLE)).isEmpty();
    assertThat(new OpenFiles(10_200).shortage(10_000, null)).isEmpty();
    assertThat(OpenFiles.ofThisProcess().most()).isPositive();
  }
}
