package io.millrace.common.codec;

import java.util.Map;

/**
 * Turns records into JSON and back. Stateless and thread-safe.
 *
 * <p>{@code docs/wire-protocol.md} defines the format: components of type {@code String}, {@code
 * int}, {@code long}, {@code double}, {@code boolean}, {@code Instant}, {@code Duration}, {@code
 * ZoneId}, enum, record, {@code Schedule}, {@code List} of these and {@code Map<String, String>}.
 */
public interface Codec {

  /**
   * Encodes a record, a schedule or a {@code Map<String, String>} as UTF-8 JSON.
   *
   * @throws CodecException if a required component is null or a number is not finite
   */
  byte[] encode(Object value);

  /**
   * Decodes UTF-8 JSON.
   *
   * @throws CodecException if the bytes are not JSON, or do not match the type
   */
  <T> T decode(byte[] json, Class<T> type);

  /** Like {@link #encode}, as text, for storage. */
  String encodeText(Object value);

  /** Like {@link #decode}, from text. */
  <T> T decodeText(String json, Class<T> type);

  /** Decodes a JSON object whose values are all strings; keeps the order of the fields. */
  Map<String, String> decodeStrings(String json);
}
