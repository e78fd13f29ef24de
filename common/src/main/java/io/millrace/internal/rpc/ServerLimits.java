package io.millrace.internal.rpc;

import io.millrace.internal.config.Bounds;

/**
 * The bounds over all connections of a server together. They hold before and after the handshake.
 *
 * @param maxConnections concurrent connections. One more replaces the oldest connection whose
 *     handshake is not over; if there is none, the new one is closed at once
 * @param maxHandshakes concurrent connections whose handshake is not over; one more replaces the
 *     oldest of them
 * @param maxUnsentBytes bytes that may wait for slow readers; with more, the connection that has
 *     had unsent bytes for the longest time is closed
 * @param maxReceivedBytes bytes of incomplete frames; with more, the connection whose frame began
 *     first is closed. Also, counted separately, bytes of requests under way; with more, a request
 *     is answered UNAVAILABLE if its connection would have more than 64 KiB under way
 */
public record ServerLimits(
    int maxConnections, int maxHandshakes, long maxUnsentBytes, long maxReceivedBytes) {

  /** 10,000 connections, 1,000 handshakes, 64 MiB each way. */
  public static final ServerLimits DEFAULT = new ServerLimits(10_000, 1_000, 64L << 20, 64L << 20);

  /** For the calling end, and for networks inside one process. */
  public static final ServerLimits UNBOUNDED =
      new ServerLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  public ServerLimits {
    Bounds.atLeast(1).check("maxConnections", maxConnections);
    Bounds.atLeast(1).check("maxHandshakes", maxHandshakes);
    Bounds.atLeast(1L).check("maxUnsentBytes", maxUnsentBytes);
    Bounds.atLeast(1L).check("maxReceivedBytes", maxReceivedBytes);
  }
}
