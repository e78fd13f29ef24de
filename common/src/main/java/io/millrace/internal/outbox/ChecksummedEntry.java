package io.millrace.internal.outbox;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Converts an entry to bytes and back: a checksum of the rest, the version of this layout, the
 * time, the length of the key, the key, the body. The checksum is needed because the store does not
 * check the content of its pages.
 */
final class ChecksummedEntry {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = Integer.BYTES + 1 + Long.BYTES + Integer.BYTES;

  private ChecksummedEntry() {}

  static byte[] encode(String key, byte[] body, long storedAt) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + keyBytes.length + body.length);
    bytes.position(Integer.BYTES);
    bytes.put(VERSION).putLong(storedAt).putInt(keyBytes.length).put(keyBytes).put(body);
    bytes.putInt(0, checksum(bytes.array()));
    return bytes.array();
  }

  /**
   * Decodes an entry.
   *
   * @throws DamagedOutboxException if the bytes are not an entry
   */
  static Outbox.Entry decode(long sequence, byte[] encoded) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(encoded);
      if (bytes.getInt() != checksum(encoded)) {
        throw new DamagedOutboxException("entry " + sequence + " has a wrong checksum");
      }
      byte version = bytes.get();
      if (version != VERSION) {
        throw new DamagedOutboxException(
            "entry " + sequence + " has the unknown version " + version);
      }
      long storedAt = bytes.getLong();
      byte[] key = new byte[bytes.getInt()];
      bytes.get(key);
      byte[] body = new byte[bytes.remaining()];
      bytes.get(body);
      return new Outbox.Entry(sequence, new String(key, StandardCharsets.UTF_8), body, storedAt);
    } catch (BufferUnderflowException | NegativeArraySizeException tooShort) {
      throw new DamagedOutboxException(tooShort);
    }
  }

  private static int checksum(byte[] encoded) {
    CRC32 checksum = new CRC32();
    checksum.update(encoded, Integer.BYTES, encoded.length - Integer.BYTES);
    return (int) checksum.getValue();
  }
}
