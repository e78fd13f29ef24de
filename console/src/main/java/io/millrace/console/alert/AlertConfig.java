package io.millrace.console.alert;

import io.millrace.console.alert.mail.MailConfig;
import io.millrace.console.alert.monitor.AlertRules;
import io.millrace.console.alert.webhook.WebhookConfig;
import io.millrace.internal.config.Check;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which alerts are sent, to which receivers, and when.
 *
 * @param rules which alerts are sent, and when
 * @param webhooks addresses to post alerts to, at most {@value #MOST_WEBHOOKS}
 * @param mail null for no mail
 * @param timeout for connecting to a receiver, and for its answers; 10 ms to 60 s
 */
public record AlertConfig(
    AlertRules rules, List<WebhookConfig> webhooks, @Nullable MailConfig mail, Duration timeout) {

  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  static final int MOST_WEBHOOKS = 10;

  public AlertConfig {
    webhooks = List.copyOf(webhooks);
    Check.that(!webhooks.isEmpty() || mail != null, "alerts need at least one receiver");
    Check.that(
        webhooks.size() <= MOST_WEBHOOKS, "there can be at most " + MOST_WEBHOOKS + " webhooks");
    Check.that(
        timeout.toMillis() >= 10 && timeout.toSeconds() <= 60,
        "the time that receivers have to answer must be between 10 ms and 1 m");
  }
}
