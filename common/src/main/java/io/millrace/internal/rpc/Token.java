package io.millrace.internal.rpc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that the nodes of one role share with the trackers. Its {@code toString} does not show
 * it.
 */
public final class Token {

  /** A shorter token could be guessed from a recorded handshake. */
  public static final int MIN_CHARS = 16;

  private static final int FEW_CHARACTERS = 8;

  private final byte[] secret;

  private Token(byte[] secret) {
    this.secret = secret;
  }

  /**
   * Makes a token of a text.
   *
   * @throws IllegalArgumentException if the text has fewer than {@value #MIN_CHARS} characters
   */
  public static Token of(String text) {
    String trimmed = text.strip();
    if (trimmed.length() < MIN_CHARS) {
      throw new IllegalArgumentException(
          "a token must have at least "
              + MIN_CHARS
              + " characters, but this one has "
              + trimmed.length()
              + "; generate one with: openssl rand -hex 32");
    }
    return new Token(trimmed.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Whether the token looks invented by a person: it has fewer than {@value #FEW_CHARACTERS}
   * different characters. A token of random hex digits has more.
   */
  public boolean isOfLowVariety() {
    BitSet different = new BitSet();
    for (byte character : secret) {
      different.set(Byte.toUnsignedInt(character));
    }
    return different.cardinality() < FEW_CHARACTERS;
  }

  public SecretKeySpec key(String algorithm) {
    return new SecretKeySpec(secret, algorithm);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Token token && Arrays.equals(secret, token.secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(secret);
  }

  @Override
  public String toString() {
    return "Token[hidden]";
  }
}
