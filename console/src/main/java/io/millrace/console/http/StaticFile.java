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
 * @param content one buffer shared by all answers, which must not change it
 * @param etag the entity tag: the hash of its content, in quotes
 */
public record StaticFile(String path, String mediaType, Buffer content, String etag) {

  /** Creates a file with this content, which the caller must not change afterwards. */
  public static StaticFile of(String path, String mediaType, byte[] bytes) {
    return new StaticFile(path, mediaType, Buffer.buffer(bytes), '"' + hash(bytes) + '"');
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The size in bytes. */
  public int size() {
    return content.length();
  }

  /** Its content as text, decoded as UTF-8. */
  public String text() {
    return content.toString(StandardCharsets.UTF_8);
  }

  /** Whether a client with this header {@code If-None-Match} has this content already. */
  public boolean isMeantBy(@Nullable String ifNoneMatch) {
    return ifNoneMatch != null
        && Arrays.stream(ifNoneMatch.split(",", -1))
            .map(String::strip)
            .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
            .anyMatch(tag -> tag.equals(etag) || tag.equals("*"));
  }

  @Override
  public String toString() {
    return path + ", " + size() + " bytes";
  }
}
