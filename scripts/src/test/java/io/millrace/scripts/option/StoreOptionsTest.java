package io.millrace.scripts.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

class StoreOptionsTest {
  private static final String URL = "jdbc:mysql://db.example.org:3306/millrace";

  @Test
  void databaseIsNamedWithItsUserAndPassword() {
    assertThat(
            parse(Map.of(), "--store-url", URL, "--store-username", "m", "--store-password", "p"))
        .contains(StoreConfig.of(URL, "m", "p"));
  }

  @Test
  void passwordOfTheEnvironmentIsUsedIfNoneIsGiven() {
    Map<String, String> environment = Map.of("MILLRACE_STORE_PASSWORD", "secret");

    assertThat(parse(environment, "--store-url", URL, "--store-username", "m"))
        .contains(StoreConfig.of(URL, "m", "secret"));
    assertThat(parse(environment, "--store-url", URL, "--store-password", "given"))
        .contains(StoreConfig.of(URL, "", "given"));
  }

  @Test
  void passwordOfTheEnvironmentAloneNamesNoDatabase() {
    assertThat(parse(Map.of("MILLRACE_STORE_PASSWORD", "secret"))).isEmpty();
  }

  private static Optional<StoreConfig> parse(Map<String, String> environment, String... arguments) {
    Sample sample = new Sample(environment);
    new CommandLine(sample).parseArgs(arguments);
    return sample.store.config(sample.spec);
  }

  /** A command with these options. */
  @Command(name = "sample")
  static final class Sample {
    @Spec private CommandSpec spec;
    @Mixin private StoreOptions store;

    Sample(Map<String, String> environment) {
      store = new StoreOptions(environment);
    }
  }
}
