package io.millrace.console.http;

import java.time.Duration;

/**
 * Limits of the server that apply to all connections together.
 *
 * @param connections the most open connections, besides those reserved for health checks
 * @param connectionsPerAddress the most open connections from one address other than this machine
 * @param patience time limit for the first request head of a connection, and for each body and each
 *     answer; a body or an answer gets one more second for each {@link #BYTES_PER_SECOND}
 * @param idle how long a connection that sent a valid token may wait for its next request
 * @param strangersIdle the same for a connection without a valid token, after its first request
 * @param askAgain interval at which the token or session of an event stream is checked again
 * @param guessDelay delay before a wrong token is rejected, for an address that sent many
 */
public record HttpLimits(
    int connections,
    int connectionsPerAddress,
    Duration patience,
    Duration idle,
    Duration strangersIdle,
    Duration askAgain,
    Duration guessDelay) {

  public static final int DEFAULT_CONNECTIONS = 500;
  public static final int DEFAULT_CONNECTIONS_PER_ADDRESS = 250;

  /** Connections beyond the limit, which may only request health. */
  public static final int KEPT_FOR_HEALTH = 16;

  private static final int PART_OF_FILES = 4;

  /** The lowest rate at which a peer must send or receive. */
  public static final long BYTES_PER_SECOND = 128 << 10;

  public static final HttpLimits DEFAULT =
      new HttpLimits(
          DEFAULT_CONNECTIONS,
          DEFAULT_CONNECTIONS_PER_ADDRESS,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1));

  /** Returns these limits with other numbers of connections. */
  public HttpLimits withConnections(int most, int mostPerAddress) {
    return new HttpLimits(
        most, mostPerAddress, patience, idle, strangersIdle, askAgain, guessDelay);
  }

  /**
   * Returns these limits with connections, those for health included, bounded by a quarter of the
   * files that the process may open, so that nodes can reach a tracker whose console is flooded.
   */
  public HttpLimits fitting(long files) {
    long room = Math.max(1, files / PART_OF_FILES - KEPT_FOR_HEALTH);
    return connections <= room ? this : withConnections((int) room, connectionsPerAddress);
  }

  /** Returns these limits with another delay for wrong tokens. */
  public HttpLimits withGuessDelay(Duration other) {
    return new HttpLimits(
        connections, connectionsPerAddress, patience, idle, strangersIdle, askAgain, other);
  }

  /** The time limit in milliseconds for this many bytes. */
  public long millisFor(long bytes) {
    return patience.toMillis() + bytes * 1_000 / BYTES_PER_SECOND;
  }
}
