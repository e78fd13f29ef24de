package io.millrace.console.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Creates and compares secrets of 256 random bits. A plain hash is enough to store one: there are
 * too many values to try. Thread-safe.
 */
public final class Secrets {
  private static final int BYTES = 32;

  /** How the secrets of tokens that are limited to node groups begin, and of their sessions. */
  static final String LIMITED = "mrl";

  private final SecureRandom random = new SecureRandom();

  /**
   * Returns a new secret. The prefix identifies its kind, so that a leaked secret can be
   * recognized.
   */
  public String next(String prefix) {
    byte[] bits = new byte[BYTES];
    random.nextBytes(bits);
    return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  /**
   * Returns the hash of a secret by which the store finds it: its SHA-256 in hex. That of a limited
   * token is another one, so that trackers of the version before, which know no limits, do not find
   * it.
   */
  public static String hash(String secret) {
    return HexFormat.of()
        .formatHex(digest(secret.startsWith(LIMITED) ? "limited " + secret : secret));
  }

  /**
   * Returns the CSRF token of a session: a hash of the cookie. A page sends it besides the cookie
   * with each change. Pages cannot read the cookie, so only a page that received the token can send
   * it.
   */
  static String csrfOf(String session) {
    return derived("csrf", session);
  }

  /**
   * Returns another secret, of 43 characters for URLs, that does not tell the one it is made of.
   */
  public static String derived(String purpose, String secret) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest(purpose + " " + secret));
  }

  /** Compares two texts in constant time, so that timing does not reveal where they differ. */
  public static boolean same(String one, String other) {
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
