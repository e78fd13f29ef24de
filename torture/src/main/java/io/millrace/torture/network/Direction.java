package io.millrace.torture.network;

/** The direction of bytes through a {@link TcpProxy}. */
public enum Direction {
  /** From the connecting side to the target. */
  TO_TARGET,
  /** From the target to the connecting side. */
  FROM_TARGET
}
