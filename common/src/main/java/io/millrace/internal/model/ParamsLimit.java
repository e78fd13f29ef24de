package io.millrace.internal.model;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The size limit for the parameters of one job: one rule and one message, for the tracker that
 * checks jobs and for a client that cannot send such large ones.
 */
public final class ParamsLimit {
  /** Bytes of UTF-8 that all names and values may take together: 1 MiB. */
  public static final int MAX_BYTES = 1 << 20;

  private static final long MAX_BYTES_OF_A_CHAR = 3;

  private ParamsLimit() {}

  /**
   * What is wrong with the size of these parameters, for a person, or null.
   *
   * @param params names and values, none of them null
   */
  public static @Nullable String faultOf(Map<String, String> params) {
    if (charsOf(params) * MAX_BYTES_OF_A_CHAR <= MAX_BYTES) {
      return null; // without encoding them
    }
    long bytes = bytesOf(params);
    return bytes <= MAX_BYTES
        ? null
        : "the parameters have %d bytes of UTF-8 in total; at most %d are allowed"
            .formatted(bytes, MAX_BYTES);
  }

  /** The bytes of UTF-8 of all names and values. */
  public static long bytesOf(Map<String, String> params) {
    long bytes = 0;
    for (Map.Entry<String, String> param : params.entrySet()) {
      bytes += utf8Bytes(param.getKey()) + utf8Bytes(param.getValue());
    }
    return bytes;
  }

  private static long charsOf(Map<String, String> params) {
    long chars = 0;
    for (Map.Entry<String, String> param : params.entrySet()) {
      chars += param.getKey().length() + param.getValue().length();
    }
    return chars;
  }

  private static long utf8Bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
