package io.millrace.jobtracker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.config.ConfigException;
import io.millrace.internal.config.Settings;
import io.millrace.jobtracker.purge.RetentionConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTrackerConfigTest {

  private static JobTrackerConfig read(Map<String, String> values) {
    return JobTrackerConfig.read(Settings.of("test", values));
  }

  @Test
  void anEmptyFileIsALocalTrackerWithTheDefaults() {
    JobTrackerConfig config = read(Map.of());

    assertThat(config.rpc().host()).isEqualTo("127.0.0.1");
    assertThat(config.rpc().port()).isEqualTo(35_001);
    assertThat(config.store().url()).isEqualTo("jdbc:h2:file:./data/millrace");
    assertThat(config.tracker().service()).isEqualTo(ServiceConfig.DEFAULT);
    assertThat(config.tracker().retention()).isEqualTo(RetentionConfig.DEFAULT);
    assertThat(config.tracker().defaultZone()).isEqualTo(ZoneId.of("UTC"));
  }

  @Test
  void retentionIsReadAsItIsSet() {
    JobTrackerConfig config =
        read(
            Map.of(
                "ledger.keep", "90d",
                "ledger.max-rows", "50000000",
                "job-log.keep", "1d",
                "feedback.keep", "12h",
                "batch.keep", "3d",
                "audit.keep", "3650d",
                "counts.keep", "100d"));

    assertThat(config.tracker().retention())
        .isEqualTo(
            new RetentionConfig(
                Duration.ofDays(90),
                50_000_000,
                Duration.ofDays(1),
                Duration.ofHours(12),
                Duration.ofDays(3),
                Duration.ofDays(3_650),
                Duration.ofDays(100)));
  }

  @Test
  void triggersAgeOnlyIfTheFileSaysHowFast() {
    assertThat(read(Map.of()).tracker().service().priorityOrder().isStrict()).isTrue();

    ServiceConfig service = read(Map.of("priority.ageing", "PT1M")).tracker().service();

    assertThat(service.priorityAgeing()).isEqualTo(Duration.ofMinutes(1));
    assertThat(service.priorityOrder().isStrict()).isFalse();
    assertThatThrownBy(() -> read(Map.of("priority.ageing", "0s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "a priority level must be worth 1 ms to 365 days of waiting, not PT0S");
  }

  @Test
  void everyProblemIsNamedWithItsLineAtOnce(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("tracker.properties"),
            """
            rpc.port = 99999
            rpc.prot = 1
            store.pool-size = many
            tracker.default-zone = Mars/Olympus
            rpc.client-token = short
            worker.lease = 1s
            """);

    assertThatThrownBy(() -> JobTrackerConfig.read(Settings.load(file)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("line 1: rpc.port")
        .hasMessageContaining("line 2: unknown key rpc.prot; did you mean rpc.port?")
        .hasMessageContaining("line 3: store.pool-size")
        .hasMessageContaining("line 4: tracker.default-zone")
        .hasMessageContaining("line 5: rpc.client-token")
        .hasMessageContaining("the worker lease must be at least twice the park time")
        .hasMessageNotContaining("'short'");
  }

  @Test
  void valuesThatContradictOneAnotherAreRefusedWithTheReason() {
    assertThatThrownBy(() -> read(Map.of("worker.lease", "1s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the worker lease must be at least twice the park time");
    assertThatThrownBy(() -> read(Map.of("preload.look-ahead", "1s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the look-ahead must be longer than the preload period");
    assertThatThrownBy(() -> read(Map.of("ledger.keep", "1d")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("ledger.keep must be at least 2 days");
    assertThatThrownBy(
            () -> read(Map.of("generate.misfire-threshold", "2s", "preload.period", "3s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("generate.misfire-threshold must be longer than preload.period");
    assertThatThrownBy(() -> read(Map.of("generate.misfire-threshold", "900ms")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("generate.misfire-threshold");
    assertThatThrownBy(() -> read(Map.of("rpc.tls.key", "/tmp/key.pem")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rpc.tls.certificate and rpc.tls.key together");
    assertThatThrownBy(() -> read(Map.of("store.url", "jdbc:oracle:thin:@db")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("jdbc:h2:");
  }
}
