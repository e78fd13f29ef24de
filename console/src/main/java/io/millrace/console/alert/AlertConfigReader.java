package io.millrace.console.alert;

import io.millrace.console.alert.mail.MailConfig;
import io.millrace.console.alert.monitor.AlertKind;
import io.millrace.console.alert.monitor.AlertRules;
import io.millrace.console.alert.webhook.WebhookConfig;
import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Secret;
import io.millrace.internal.config.Settings;
import io.millrace.internal.config.ValueTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys under {@code alert} of a tracker's configuration file. */
public final class AlertConfigReader {
  private static final String HOST = "alert.mail.host";

  private final Settings settings;

  public AlertConfigReader(Settings settings) {
    this.settings = settings;
  }

  /**
   * Reads the keys; null if no receiver is configured, or more webhooks than allowed. Without
   * alerts, the tracker does not check for alert conditions either.
   */
  public @Nullable AlertConfig read() {
    List<WebhookConfig> webhooks = webhooks();
    MailConfig mail = mail();
    AlertRules rules = rules();
    Duration timeout =
        settings.duration(
            "alert.timeout",
            AlertConfig.DEFAULT_TIMEOUT,
            Bounds.between(Duration.ofMillis(10), Duration.ofMinutes(1)));
    if (webhooks.size() > AlertConfig.MOST_WEBHOOKS) {
      settings.reject("alert.webhook.urls", "has more than " + AlertConfig.MOST_WEBHOOKS);
      return null;
    }
    return webhooks.isEmpty() && mail == null
        ? null
        : new AlertConfig(rules, webhooks, mail, timeout);
  }

  private List<WebhookConfig> webhooks() {
    Optional<List<Secret>> urls =
        settings.optional("alert.webhook.urls", ValueTypes.listOf(ValueTypes.SECRET));
    Optional<Secret> secret = settings.optional("alert.webhook.secret", ValueTypes.SECRET);
    if (secret.isPresent() && urls.isEmpty()) {
      settings.reject("alert.webhook.secret", "needs alert.webhook.urls");
    }
    List<WebhookConfig> webhooks = new ArrayList<>();
    for (Secret url : urls.orElse(List.of())) {
      try {
        webhooks.add(WebhookConfig.of(url.reveal(), secret.orElse(null)));
      } catch (IllegalArgumentException e) {
        settings.reject("alert.webhook.urls", "is invalid: " + e.getMessage());
      }
    }
    return webhooks;
  }

  private @Nullable MailConfig mail() {
    Optional<String> host = settings.optional(HOST, ValueTypes.STRING);
    int port =
        settings.integer("alert.mail.port", MailConfig.DEFAULT_PORT, Bounds.between(1, 65_535));
    MailConfig.Tls tls = settings.enumeration("alert.mail.tls", MailConfig.Tls.STARTTLS);
    Optional<String> username = settings.optional("alert.mail.username", ValueTypes.STRING);
    Optional<Secret> password = settings.optional("alert.mail.password", ValueTypes.SECRET);
    Optional<String> from = settings.optional("alert.mail.from", ValueTypes.STRING);
    Optional<List<String>> to =
        settings.optional("alert.mail.to", ValueTypes.listOf(ValueTypes.STRING));
    if (host.isEmpty()) {
      Map.of(
              "alert.mail.username", username,
              "alert.mail.password", password,
              "alert.mail.from", from,
              "alert.mail.to", to)
          .forEach(
              (key, value) -> {
                if (value.isPresent()) {
                  settings.reject(key, "needs " + HOST);
                }
              });
      return null;
    }
    if (from.isEmpty() || to.isEmpty()) {
      settings.reject(HOST, "needs alert.mail.from and alert.mail.to");
      return null;
    }
    try {
      return new MailConfig(
          host.get(),
          port,
          tls,
          username.orElse(null),
          password.orElse(null),
          from.get(),
          to.get());
    } catch (IllegalArgumentException e) {
      settings.reject(HOST, "is invalid: " + e.getMessage());
      return null;
    }
  }

  private AlertRules rules() {
    AlertRules defaults = AlertRules.DEFAULT;
    List<AlertKind> kinds =
        settings.get(
            "alert.kinds",
            ValueTypes.listOf(ValueTypes.enumOf(AlertKind.class)),
            List.of(AlertKind.values()));
    List<String> except =
        settings
            .optional("alert.except-groups", ValueTypes.listOf(ValueTypes.STRING))
            .orElse(List.of());
    Duration lateAfter =
        between(
            "alert.late-after", defaults.lateAfter(), Duration.ofMillis(100), Duration.ofDays(30));
    Duration noWorkerAfter =
        between(
            "alert.no-worker-after", defaults.noWorkerAfter(), Duration.ZERO, Duration.ofDays(30));
    Duration window =
        between("alert.window", defaults.window(), Duration.ofSeconds(1), Duration.ofHours(1));
    Duration repeat =
        between("alert.repeat", defaults.repeat(), Duration.ofSeconds(1), Duration.ofDays(30));
    int maxPerHour =
        settings.integer("alert.max-per-hour", defaults.maxPerHour(), Bounds.between(1, 10_000));
    int examples = settings.integer("alert.examples", defaults.examples(), Bounds.between(0, 20));
    if (repeat.compareTo(window) < 0) {
      settings.reject("alert.repeat", "must not be shorter than alert.window");
      return defaults;
    }
    return new AlertRules(
        EnumSet.copyOf(kinds),
        except,
        lateAfter,
        noWorkerAfter,
        window,
        repeat,
        maxPerHour,
        examples);
  }

  private Duration between(String key, Duration usual, Duration least, Duration most) {
    return settings.duration(key, usual, Bounds.between(least, most));
  }
}
