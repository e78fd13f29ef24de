package io.millrace.common.rpc.connection;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.Supplier;

/** Texts of 128 random bits: challenges and nonces of handshakes. */
public final class Nonces implements Supplier<String> {
  private static final int BYTES = 16;

  private final Random random;

  private Nonces(Random random) {
    this.random = random;
  }

  /** Unpredictable nonces. */
  public static Nonces secure() {
    return new Nonces(new SecureRandom());
  }

  /** Nonces from a seeded source, the same in every run: for networks inside one process. */
  public static Nonces repeatable(Random random) {
    return new Nonces(random);
  }

  @Override
  public String get() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
