package io.millrace.console.alert.webhook;

import io.millrace.internal.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs a body, so that a receiver can verify that the sender knows the secret and when the body
 * was sent: HMAC-SHA256 over the timestamp, a dot and the body.
 */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  /**
   * Returns the value of the signature header.
   *
   * @param timestamp epoch seconds, the same as in the timestamp header
   */
  static String of(Secret secret, long timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.reveal().getBytes(StandardCharsets.UTF_8), ALGORITHM));
      mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return "v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }
}
