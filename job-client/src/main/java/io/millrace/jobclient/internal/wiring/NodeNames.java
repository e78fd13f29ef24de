package io.millrace.jobclient.internal.wiring;

import java.util.UUID;

/** Creates identities of processes that have a name. */
public final class NodeNames {
  /** The bound of a name, which leaves room for the part that makes the identity unique. */
  static final int MAX_NAME_CHARS = 100;

  private static final int RANDOM_CHARS = 8;

  private NodeNames() {}

  /**
   * Returns an identity that begins with a name and was never used before. The wire format allows
   * printable ASCII characters without blanks; others become {@code _}.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public static String unique(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("nodeName is blank");
    }
    StringBuilder identity = new StringBuilder();
    name.strip()
        .codePoints()
        .limit(MAX_NAME_CHARS)
        .map(c -> c > ' ' && c < 0x7f ? c : '_')
        .forEach(identity::appendCodePoint);
    return identity + "-" + UUID.randomUUID().toString().substring(0, RANDOM_CHARS);
  }
}
