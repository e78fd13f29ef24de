package io.millrace.internal.rpc.connection;

import io.millrace.internal.protocol.Hello;

/** The protocol versions that this build supports. */
final class ProtocolVersions {
  static final int LOWEST = 1;
  static final int HIGHEST = 1;

  /** No version at all. */
  static final int NONE = 0;

  private ProtocolVersions() {}

  /** The highest version in both ranges, or {@link #NONE}. */
  static int common(int lowest, int highest) {
    int version = Math.min(highest, HIGHEST);
    return version >= Math.max(lowest, LOWEST) ? version : NONE;
  }

  static boolean isSpoken(int version) {
    return version >= LOWEST && version <= HIGHEST;
  }

  static String mismatch(Hello hello) {
    return "this tracker supports versions "
        + range(LOWEST, HIGHEST)
        + ", the caller "
        + range(hello.minVersion(), hello.maxVersion());
  }

  private static String range(int lowest, int highest) {
    return lowest + " to " + highest;
  }
}
