package io.millrace.internal.rpc.connection;

import java.util.HexFormat;
import java.util.Random;
import java.util.function.Supplier;

/** Texts of 128 random bits: challenges and nonces of handshakes. */
public final class Nonces implements Supplier<String> {
  private static final int BYTES = 16;

  private final Random random;

  /** Makes nonces of this source, which must be unpredictable outside a test. */
  public Nonces(Random random) {
    this.random = random;
  }

  @Override
  public String get() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
