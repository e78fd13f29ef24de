package io.millrace.console.http;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A file that is served to all callers, held in memory. Immutable.
 *
 * @param path from the root of the server
 * @param isForEver whether the content of this path never changes, so that a client need not ask
 *     again
 * @param plain its content as it is
 * @param packed its content compressed; null if that is not smaller
 */
public record StaticFile(
    String path, boolean isForEver, String mediaType, Form plain, @Nullable Form packed) {

  /**
   * A form of the content.
   *
   * @param content one buffer shared by all answers, which must not change it
   * @param etag the entity tag: the hash of the content, in quotes; another one for each form
   * @param coding how the content is compressed; null if it is not
   */
  public record Form(Buffer content, String etag, @Nullable String coding) {
    static Form of(byte[] bytes, @Nullable String coding) {
      return new Form(Buffer.buffer(bytes), '"' + hash(bytes) + '"', coding);
    }

    /** The size in bytes. */
    public int size() {
      return content.length();
    }

    /** Whether a client with this header {@code If-None-Match} has this form already. */
    public boolean isMeantBy(@Nullable String ifNoneMatch) {
      return ifNoneMatch != null
          && Arrays.stream(ifNoneMatch.split(",", -1))
              .map(String::strip)
              .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
              .anyMatch(tag -> tag.equals(etag) || tag.equals("*"));
    }
  }

  /** Creates a file with this content, which the caller must not change afterwards. */
  public static StaticFile of(String path, boolean isForEver, String mediaType, byte[] bytes) {
    byte[] packed = Gzip.best(bytes);
    return new StaticFile(
        path,
        isForEver,
        mediaType,
        Form.of(bytes, null),
        packed.length < bytes.length ? Form.of(packed, Gzip.CODING) : null);
  }

  /** The SHA-256 of the content, in hexadecimal. */
  public static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The form for a client with this header {@code Accept-Encoding}. */
  public Form formFor(@Nullable String acceptEncoding) {
    return packed != null && Gzip.isAccepted(acceptEncoding) ? packed : plain;
  }

  /** Its content as text, decoded as UTF-8. */
  public String text() {
    return plain.content().toString(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return path + ", " + plain.size() + " bytes";
  }
}
