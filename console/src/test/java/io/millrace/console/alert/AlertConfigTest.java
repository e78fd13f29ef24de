package io.millrace.console.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.console.TrackerServerConfig;
import io.millrace.console.alert.mail.MailConfig;
import io.millrace.console.alert.monitor.AlertKind;
import io.millrace.console.alert.monitor.AlertRules;
import io.millrace.internal.config.ConfigException;
import io.millrace.internal.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertConfigTest {
  private static final String SLACK = "https://hooks.example.org/services/T0/B0/xyz";

  private static AlertConfig read(Map<String, String> values) {
    return TrackerServerConfig.read(Settings.of("test", values)).alerts();
  }

  @Test
  void nobodyIsToldUnlessTheFileSaysWho() {
    assertThat(read(Map.of())).isNull();
    assertThat(read(Map.of("alert.late-after", "5m"))).isNull();
  }

  @Test
  void oneAddressIsEnough() {
    AlertConfig config = read(Map.of("alert.webhook.urls", SLACK));

    assertThat(config.rules()).isEqualTo(AlertRules.DEFAULT);
    assertThat(config.mail()).isNull();
    assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.webhooks()).hasSize(1);
    assertThat(config.webhooks().get(0).url()).hasToString(SLACK);
    assertThat(config.webhooks().get(0).secret()).isNull();
  }

  @Test
  void everyKeyIsReadAsItIsSet() {
    AlertConfig config =
        read(
            Map.ofEntries(
                Map.entry("alert.webhook.urls", SLACK + ", http://127.0.0.1:9/x"),
                Map.entry("alert.webhook.secret", "something to sign with"),
                Map.entry("alert.mail.host", "mail.example.org"),
                Map.entry("alert.mail.port", "465"),
                Map.entry("alert.mail.tls", "tls"),
                Map.entry("alert.mail.username", "millrace"),
                Map.entry("alert.mail.password", "a password"),
                Map.entry("alert.mail.from", "Millrace <millrace@example.org>"),
                Map.entry("alert.mail.to", "oncall@example.org,ops@example.org"),
                Map.entry("alert.kinds", "dead,no-worker"),
                Map.entry("alert.except-groups", "test-*, demo"),
                Map.entry("alert.late-after", "5m"),
                Map.entry("alert.no-worker-after", "2m"),
                Map.entry("alert.window", "10s"),
                Map.entry("alert.repeat", "1h"),
                Map.entry("alert.max-per-hour", "6"),
                Map.entry("alert.examples", "0"),
                Map.entry("alert.timeout", "3s")));

    assertThat(config.webhooks()).hasSize(2).allMatch(webhook -> webhook.secret() != null);
    MailConfig mail = config.mail();
    assertThat(mail.host()).isEqualTo("mail.example.org");
    assertThat(mail.port()).isEqualTo(465);
    assertThat(mail.tls()).isEqualTo(MailConfig.Tls.TLS);
    assertThat(mail.password().reveal()).isEqualTo("a password");
    assertThat(mail.to()).containsExactly("oncall@example.org", "ops@example.org");
    assertThat(config.rules())
        .isEqualTo(
            new AlertRules(
                Set.of(AlertKind.DEAD, AlertKind.NO_WORKER),
                List.of("test-*", "demo"),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofSeconds(10),
                Duration.ofHours(1),
                6,
                0));
    assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void nothingSecretIsShown() {
    AlertConfig config =
        read(
            Map.of(
                "alert.webhook.urls", SLACK,
                "alert.webhook.secret", "something to sign with",
                "alert.mail.host", "mail.example.org",
                "alert.mail.username", "millrace",
                "alert.mail.password", "a password",
                "alert.mail.from", "millrace@example.org",
                "alert.mail.to", "oncall@example.org"));

    assertThat(config.toString())
        .contains("webhook hooks.example.org")
        .doesNotContain("xyz", "something to sign with", "a password");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alert.webhook.urls | ftp://example.org/xyz | alert.webhook.urls is invalid",
        "alert.webhook.secret | xyz | alert.webhook.secret needs alert.webhook.urls",
        "alert.mail.host | mail.example.org | needs alert.mail.from and alert.mail.to",
        "alert.mail.to | a@example.org | alert.mail.to needs alert.mail.host",
        "alert.mail.password | xyz | alert.mail.password needs alert.mail.host",
        "alert.kinds | dead,tired | alert.kinds must be one of",
        "alert.repeat | 10s | alert.repeat must not be shorter than alert.window",
        "alert.examples | 21 | alert.examples must be between 0 and 20"
      })
  void whatIsWrongIsSaidWithItsKeyAndWithoutSecrets(String key, String value, String problem) {
    assertThatThrownBy(() -> read(Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(problem)
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("xyz"));
  }

  @Test
  void addressThatIsNoneIsSaid() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of(
                        "alert.mail.host", "mail.example.org",
                        "alert.mail.from", "millrace@example.org",
                        "alert.mail.to", "not an address")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'not an address' is not a mail address");
  }
}
