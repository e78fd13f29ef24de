package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobclient.internal.wiring.JobClientConfig;
import io.millrace.jobclient.internal.wiring.NodeNames;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class JobClientBuilderTest {

  @Test
  void everyBadValueIsNamed() {
    assertRefused(builder -> builder.trackers(), "trackers(\"host:port\")");
    assertRefused(builder -> builder.trackers("tracker"), "'tracker' is not host:port");
    assertRefused(builder -> builder.clientGroup(" "), "clientGroup");
    assertRefused(
        builder -> builder.clientGroup("my group"),
        "client group 'my group' must have at most 128 printable ASCII characters without blanks");
    assertRefused(builder -> builder.token("short"), "token");
    assertRefused(builder -> builder.requestTimeout(Duration.ZERO), "requestTimeout");
    assertRefused(builder -> builder.connectTimeout(Duration.ofDays(2)), "connectTimeout");
    assertRefused(builder -> builder.closeTimeout(Duration.ofMillis(-1)), "closeTimeout");
    assertRefused(builder -> builder.maxJobsInFlight(0), "maxJobsInFlight");
  }

  @Test
  void nodeNameBeginsTheIdentityAndIsFitForTheWire() {
    try (JobClient client = client("  ali ce\u0007@h\u00f6st#42\n ");
        JobClient other = client("x".repeat(500))) {
      assertThat(client.toString()).matches("JobClient ali_ce_@h_st#42-[0-9a-f]{8}, .*");
      assertThat(other.toString()).matches("JobClient x{100}-[0-9a-f]{8}, .*");
    }
  }

  @Test
  void twoProcessesOfOneNameAreTwo() {
    assertThat(NodeNames.unique("a")).isNotEqualTo(NodeNames.unique("a"));
    assertThatThrownBy(() -> JobClient.builder().nodeName(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nodeName is blank");
  }

  private static JobClient client(String nodeName) {
    return JobClient.builder()
        .trackers("127.0.0.1:1")
        .closeTimeout(Duration.ZERO)
        .nodeName(nodeName)
        .build();
  }

  @Test
  void tokenIsNeverShown() {
    String token = "0123456789abcdef0123456789abcdef";
    JobClientConfig config =
        new JobClientConfig(
            java.util.List.of("127.0.0.1:1"),
            token,
            null,
            "billing",
            "client-1",
            new JobClientConfig.Bounds(
                Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO, 1),
            null);

    assertThat(config.toString()).contains("client-1", "127.0.0.1:1").doesNotContain(token);
  }

  @Test
  void closedClientLeavesNoThreadBehind() {
    Set<Thread> before = threads();
    JobClient client =
        JobClient.builder()
            .trackers("127.0.0.1:1")
            .requestTimeout(Duration.ofMillis(200))
            .closeTimeout(Duration.ZERO)
            .build();
    assertThatThrownBy(() -> client.cancel("orders", "a")).isInstanceOf(JobCallException.class);

    client.close();

    Awaitility.await()
        .untilAsserted(() -> assertThat(threads()).filteredOn(t -> !before.contains(t)).isEmpty());
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace"))
        .collect(Collectors.toSet());
  }

  private static void assertRefused(UnaryOperator<JobClientBuilder> change, String message) {
    JobClientBuilder builder = change.apply(JobClient.builder().trackers("127.0.0.1:35001"));

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
