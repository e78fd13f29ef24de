package io.millrace.tasktracker.internal.keep;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The keys of steps for calls to others: half of a SHA-256 of the run's key and the name. */
public final class StepKeys {
  private static final int BYTES = 16;

  private StepKeys() {}

  /** Returns 32 hexadecimal digits. */
  public static String of(String runKey, String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((runKey + "/" + name).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
