package io.millrace.torture.network;

/** Which way bytes go through a {@link TcpProxy}. */
public enum Direction {
  /** From whoever connected to what the proxy stands before. */
  TO_TARGET,
  /** Back. */
  FROM_TARGET
}
