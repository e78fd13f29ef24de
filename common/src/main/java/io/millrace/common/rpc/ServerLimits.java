package io.millrace.common.rpc;

/**
 * The bounds over all connections of a server together. They hold before and after the handshake.
 *
 * @param maxConnections connections at a time. One more takes the place of the oldest that has not
 *     proven itself, or else is closed at once
 * @param maxHandshakes connections at a time that have not proven themselves; one more takes the
 *     place of the oldest of them
 * @param maxUnsentBytes bytes that may wait for slow readers; with more, the connection that has
 *     been behind for the longest is closed
 * @param maxReceivedBytes bytes of frames that have not come in full; with more, the connection
 *     whose frame began first is closed. Also, counted apart, bytes of requests under way; with
 *     more, requests of connections that have several under way are answered UNAVAILABLE
 */
public record ServerLimits(
    int maxConnections, int maxHandshakes, long maxUnsentBytes, long maxReceivedBytes) {

  /** 10,000 connections, 1,000 handshakes, 64 MiB each way. */
  public static final ServerLimits DEFAULT = new ServerLimits(10_000, 1_000, 64L << 20, 64L << 20);

  /** For the end that calls, and for what runs in one process. */
  public static final ServerLimits UNBOUNDED =
      new ServerLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  public ServerLimits {
    require(maxConnections >= 1, "maxConnections", maxConnections);
    require(maxHandshakes >= 1, "maxHandshakes", maxHandshakes);
    require(maxUnsentBytes >= 1, "maxUnsentBytes", maxUnsentBytes);
    require(maxReceivedBytes >= 1, "maxReceivedBytes", maxReceivedBytes);
  }

  /** The same with another number of connections. */
  public ServerLimits withMaxConnections(int others) {
    return new ServerLimits(others, maxHandshakes, maxUnsentBytes, maxReceivedBytes);
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is out of bounds: " + value);
    }
  }
}
