package io.millrace.console.http;

import java.time.Duration;

/**
 * Bounds of the server that hold over all connections together.
 *
 * @param connections open at a time, besides the few that are kept for questions about health
 * @param connectionsPerAddress of them from one address that is not this machine
 * @param patience for the head of a request; and for its body and its answer, which get a second
 *     more for each {@link #BYTES_PER_SECOND}
 * @param idle how long a connection stays without a request once it brought a good token
 * @param strangersIdle the same for all others
 * @param askAgain how often an event stream's token or session is looked up again
 * @param guessDelay how long the refusal of a wrong token is held back, for an address from which
 *     many came
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

  /** Connections more than the bound, in which only health is answered. */
  public static final int KEPT_FOR_HEALTH = 16;

  private static final int PART_OF_FILES = 4;

  /** What a peer has to send, or to take, at least. */
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

  /** The same for other numbers of connections. */
  public HttpLimits withConnections(int most, int mostPerAddress) {
    return new HttpLimits(
        most, mostPerAddress, patience, idle, strangersIdle, askAgain, guessDelay);
  }

  /**
   * The same with no more connections than a quarter of the files that the process may have open,
   * so that nodes can reach a tracker whose console is flooded.
   */
  public HttpLimits fitting(long files) {
    long room = Math.max(1, files / PART_OF_FILES - KEPT_FOR_HEALTH);
    return connections <= room ? this : withConnections((int) room, connectionsPerAddress);
  }

  /** The same, with refusals of wrong tokens held back for another time. */
  public HttpLimits withGuessDelay(Duration other) {
    return new HttpLimits(
        connections, connectionsPerAddress, patience, idle, strangersIdle, askAgain, other);
  }

  /** How long this many bytes may take. */
  public long millisFor(long bytes) {
    return patience.toMillis() + bytes * 1_000 / BYTES_PER_SECOND;
  }
}
