package io.millrace.internal.rpc.connection;

import io.millrace.internal.protocol.Hello;
import io.millrace.internal.rpc.Token;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Proves that one end knows the token, by an HMAC over the caller's role, node id, group and nonce
 * and the tracker's challenge. Caller and tracker sign different texts, so neither can return the
 * other's proof.
 */
public final class HandshakeProof {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String SCHEME = "millrace-v1";

  private final Token token;
  private final Hello hello;
  private final String challenge;

  public HandshakeProof(Token token, Hello hello, String challenge) {
    this.token = token;
    this.hello = hello;
    this.challenge = challenge;
  }

  /** The caller's proof, as lower-case hex. */
  public String ofCaller() {
    return sign("caller");
  }

  /** The tracker's proof, as lower-case hex. */
  public String ofTracker() {
    return sign("tracker");
  }

  boolean isOfCaller(@Nullable String proof) {
    return matches(ofCaller(), proof);
  }

  boolean isOfTracker(@Nullable String proof) {
    return matches(ofTracker(), proof);
  }

  /** The signed text: netstrings, so that different fields never give the same text. */
  public String text(String signer) {
    StringBuilder text = new StringBuilder();
    for (String field :
        new String[] {
          SCHEME,
          signer,
          hello.role().name(),
          hello.nodeId(),
          hello.group(),
          hello.nonce(),
          challenge
        }) {
      int bytes = field.getBytes(StandardCharsets.UTF_8).length;
      text.append(bytes).append(':').append(field).append(',');
    }
    return text.toString();
  }

  private String sign(String signer) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(token.key(ALGORITHM));
      byte[] signature = mac.doFinal(text(signer).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM does not support " + ALGORITHM, e);
    }
  }

  /**
   * Compares in constant time, so that the duration does not reveal where a wrong proof differs.
   */
  private static boolean matches(String expected, @Nullable String proof) {
    return proof != null
        && MessageDigest.isEqual(
            expected.getBytes(StandardCharsets.UTF_8), proof.getBytes(StandardCharsets.UTF_8));
  }
}
