package io.millrace.console.alert.webhook;

import io.millrace.internal.config.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An address that alerts are posted to. Chat systems embed the right to post in the address, so
 * messages show only its host.
 *
 * @param url the whole address; {@code http} or {@code https}
 * @param secret the key that signs bodies; null for no signature
 */
public record WebhookConfig(URI url, @Nullable Secret secret) {

  public WebhookConfig {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (!(scheme.equals("http") || scheme.equals("https")) || url.getHost() == null) {
      throw new IllegalArgumentException(
          "a webhook's URL must begin with http:// or https:// and a host");
    }
    if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
      throw new IllegalArgumentException("a webhook's URL must not have a user or a fragment");
    }
  }

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if it is not a valid address; the message does not repeat it
   */
  public static WebhookConfig of(String url, @Nullable Secret secret) {
    URI parsed;
    try {
      parsed = new URI(url);
    } catch (URISyntaxException e) {
      // No cause, because its message contains the address.
      throw new IllegalArgumentException("a webhook's URL must be a URL without spaces");
    }
    return new WebhookConfig(parsed, secret);
  }

  @Override
  public String toString() {
    return "webhook " + url.getHost();
  }
}
