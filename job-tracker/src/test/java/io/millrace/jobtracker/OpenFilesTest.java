package io.millrace.jobtracker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenFilesTest {
  private static final String RPC = "rpc.max-connections is";

  @Test
  void boundsThatDoNotFitAreReported() {
    assertThat(new OpenFiles(2_048).shortage(10_000, RPC))
        .hasValueSatisfying(
            text -> assertThat(text).contains("2048", "10200", "ulimit -n", "rpc.max-connections"));
    assertThat(new OpenFiles(10_199).shortage(10_000, RPC)).isPresent();
    assertThat(new OpenFiles(10_200).shortage(10_000, RPC)).isEmpty();
    assertThat(OpenFiles.ofThisProcess().most()).isPositive();
  }
}
