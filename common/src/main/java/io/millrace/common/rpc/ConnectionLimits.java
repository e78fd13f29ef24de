package io.millrace.common.rpc;

import java.time.Duration;

/**
 * The bounds of one connection. Whoever exceeds one is refused or cut off, and nobody else notices.
 *
 * @param maxFrameBytes largest frame taken or sent once the handshake is over; before it, {@value
 *     #HANDSHAKE_FRAME_BYTES}
 * @param maxRequestsUnderWay requests of the other end that are worked on at a time; the next one
 *     is answered UNAVAILABLE
 * @param maxUnsentBytes bytes that may wait for a slow reader, with {@value
 *     #MESSAGE_OVERHEAD_BYTES} for each message besides its own; with more, the connection is
 *     closed
 * @param handshakeTimeout time from the connection to the end of the handshake
 * @param idleTimeout silence after which the other end counts as gone; the caller pings three times
 *     as often
 * @param frameTimeout time for one frame, from its first byte to its last; looked at as often as
 *     for silence
 */
public record ConnectionLimits(
    int maxFrameBytes,
    int maxRequestsUnderWay,
    long maxUnsentBytes,
    Duration handshakeTimeout,
    Duration idleTimeout,
    Duration frameTimeout) {

  /** Time for one frame, from its first byte to its last. */
  public static final Duration FRAME_TIMEOUT = Duration.ofSeconds(60);

  /** 8 MiB frames, 256 requests, 32 MiB unsent, 10 s for the handshake, 30 s of silence. */
  public static final ConnectionLimits DEFAULT =
      new ConnectionLimits(8 << 20, 256, 32 << 20, Duration.ofSeconds(10), Duration.ofSeconds(30));

  /**
   * The same for the end that calls, with 8 s of silence: whoever waits for a tracker that hangs or
   * was cut off must be elsewhere before its leases run out. What is large and slow is no silence.
   */
  public static final ConnectionLimits OF_CALLER =
      new ConnectionLimits(8 << 20, 256, 32 << 20, Duration.ofSeconds(10), Duration.ofSeconds(8));

  /** Largest frame of a node that has not proven itself. */
  public static final int HANDSHAKE_FRAME_BYTES = 4 << 10;

  /** What a message in a queue takes besides its bytes. */
  public static final int MESSAGE_OVERHEAD_BYTES = 512;

  public ConnectionLimits {
    require(maxFrameBytes >= HANDSHAKE_FRAME_BYTES, "maxFrameBytes", maxFrameBytes);
    require(maxRequestsUnderWay >= 1, "maxRequestsUnderWay", maxRequestsUnderWay);
    require(maxUnsentBytes >= maxFrameBytes, "maxUnsentBytes", maxUnsentBytes);
    require(isPositive(handshakeTimeout), "handshakeTimeout", handshakeTimeout);
    require(isPositive(idleTimeout), "idleTimeout", idleTimeout);
    require(isPositive(frameTimeout), "frameTimeout", frameTimeout);
  }

  /** With the usual time for a frame. */
  public ConnectionLimits(
      int maxFrameBytes,
      int maxRequestsUnderWay,
      long maxUnsentBytes,
      Duration handshakeTimeout,
      Duration idleTimeout) {
    this(
        maxFrameBytes,
        maxRequestsUnderWay,
        maxUnsentBytes,
        handshakeTimeout,
        idleTimeout,
        FRAME_TIMEOUT);
  }

  /** Bytes of requests of the other end that are worked on at a time. */
  public long maxRequestBytesUnderWay() {
    return 4L * maxFrameBytes;
  }

  public Duration pingInterval() {
    return idleTimeout.dividedBy(3);
  }

  private static boolean isPositive(Duration duration) {
    return !duration.isNegative() && !duration.isZero();
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is out of bounds: " + value);
    }
  }
}
