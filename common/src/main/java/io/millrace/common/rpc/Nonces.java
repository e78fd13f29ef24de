package io.millrace.common.rpc;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.Supplier;

/** Texts of 128 random bits: challenges and nonces of handshakes. */
final class Nonces implements Supplier<String> {
  private static final int BYTES = 16;

  private final Random random;

  private Nonces(Random random) {
    this.random = random;
  }

  /** Nonces that nobody can foresee. */
  static Nonces secure() {
    return new Nonces(new SecureRandom());
  }

  /** Nonces from a seeded source, the same in every run: for networks inside of one process. */
  static Nonces repeatable(Random random) {
    return new Nonces(random);
  }

  @Override
  public String get() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
