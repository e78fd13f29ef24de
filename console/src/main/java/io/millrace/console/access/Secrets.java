package io.millrace.console.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Secrets of 256 random bits. A plain hash is enough to store one by: nobody can try as many as
 * there are. Thread-safe.
 */
final class Secrets {
  private static final int BYTES = 32;
  private final SecureRandom random = new SecureRandom();

  /** A new secret; the prefix says what it is to whoever finds it lying about. */
  String next(String prefix) {
    byte[] bits = new byte[BYTES];
    random.nextBytes(bits);
    return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  /** SHA-256 in hex. */
  static String hash(String secret) {
    return HexFormat.of().formatHex(digest(secret));
  }

  /**
   * What a page has to send besides its session's cookie. Only a page that was told it can: the
   * cookie, of which it is a hash, is hidden from pages.
   */
  static String csrfOf(String session) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest("csrf " + session));
  }

  /** Compares in a time that does not tell where the texts differ. */
  static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
