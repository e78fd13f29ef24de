package io.millrace.console.alert.webhook;

import io.millrace.console.alert.monitor.AlertExample;
import io.millrace.console.alert.monitor.AlertKind;
import io.millrace.console.alert.monitor.AlertMessage;
import io.millrace.console.alert.monitor.AlertPhase;
import io.millrace.console.alert.monitor.AlertWords;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body that is posted; docs/monitoring.md explains the fields.
 *
 * @param text the message in words, for chat systems to show
 * @param undelivered number of earlier messages that this receiver did not get
 */
public record WebhookBody(
    String text,
    String id,
    AlertKind kind,
    AlertPhase phase,
    @Nullable String nodeGroup,
    String tracker,
    Instant at,
    Instant since,
    @Nullable Instant until,
    int count,
    int spells,
    @Nullable Duration worst,
    @Nullable Integer backlog,
    @Nullable Duration oldestAge,
    @Nullable String detail,
    List<AlertExample> examples,
    int undelivered) {

  static WebhookBody of(AlertMessage message, long undelivered) {
    return new WebhookBody(
        forChat(String.join("\n", AlertWords.lines(message, undelivered))),
        message.id(),
        message.kind(),
        message.phase(),
        message.nodeGroup(),
        message.tracker(),
        message.at(),
        message.since(),
        message.until(),
        number(message.count()),
        number(message.spells()),
        message.worst(),
        message.backlog() == null ? null : number(message.backlog()),
        message.oldestAge(),
        message.detail(),
        message.examples(),
        number(undelivered));
  }

  /** Narrows to 32 bits, because the codec writes 64-bit numbers as text. */
  private static int number(long count) {
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  /**
   * Escapes text from jobs and workers, which must not notify a whole channel, or create a link
   * that shows another address: escapes the three characters that Slack requires, and separates
   * each @ and each "](" with a zero-width space.
   */
  private static String forChat(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("@", "@\u200B")
        .replace("](", "]\u200B(");
  }
}
