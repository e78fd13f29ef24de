package io.millrace.internal.rpc;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Check;
import java.time.Duration;

/**
 * The bounds of one connection. A peer that exceeds one is rejected or disconnected; other peers
 * are not affected.
 *
 * @param maxFrameBytes largest frame received or sent after the handshake; until then {@value
 *     #HANDSHAKE_FRAME_BYTES}
 * @param maxRequestsUnderWay concurrent requests of the other end; the next one is answered
 *     UNAVAILABLE
 * @param maxUnsentBytes bytes that may wait for a slow reader, counting {@value
 *     #MESSAGE_OVERHEAD_BYTES} extra for each message; with more, the connection is closed
 * @param handshakeTimeout time from the connect to the end of the handshake
 * @param idleTimeout silence after which the connection is closed; an end whose peer is a tracker
 *     pings after a third of it
 * @param frameTimeout time for one frame, from its first byte to its last; checked as often as the
 *     silence
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
      new ConnectionLimits(
          8 << 20, 256, 32 << 20, Duration.ofSeconds(10), Duration.ofSeconds(30), FRAME_TIMEOUT);

  /**
   * The same for the calling end, with 8 s of silence: a node whose tracker hangs or is cut off
   * must reach another one before its leases expire. A large, slow frame does not count as silence.
   */
  public static final ConnectionLimits OF_CALLER =
      new ConnectionLimits(
          8 << 20, 256, 32 << 20, Duration.ofSeconds(10), Duration.ofSeconds(8), FRAME_TIMEOUT);

  /** Largest frame from a node before the end of the handshake. */
  public static final int HANDSHAKE_FRAME_BYTES = 4 << 10;

  /** Memory that a queued message takes besides its bytes. */
  public static final int MESSAGE_OVERHEAD_BYTES = 512;

  public ConnectionLimits {
    Bounds.atLeast(HANDSHAKE_FRAME_BYTES).check("maxFrameBytes", maxFrameBytes);
    Bounds.atLeast(1).check("maxRequestsUnderWay", maxRequestsUnderWay);
    Bounds.atLeast((long) maxFrameBytes).check("maxUnsentBytes", maxUnsentBytes);
    Check.positive("handshakeTimeout", handshakeTimeout);
    Check.positive("idleTimeout", idleTimeout);
    Check.positive("frameTimeout", frameTimeout);
  }

  /** Bytes of concurrent requests of the other end. */
  public long maxRequestBytesUnderWay() {
    return 4L * maxFrameBytes;
  }

  public Duration pingInterval() {
    return idleTimeout.dividedBy(3);
  }
}
