package io.millrace.internal.protocol;

import java.util.List;

/**
 * Answers {@link Ping}. Sent only after the handshake.
 *
 * @param trackers addresses of the live trackers, including the answering one; only the first
 *     {@value #MAX_TRACKERS} are used. Empty if the answering end does not report them
 */
public record PingReply(List<String> trackers) {

  /** Further addresses are neither sent nor kept. */
  public static final int MAX_TRACKERS = 64;

  /** Reports only that this end is alive. */
  public static final PingReply ALIVE = new PingReply(List.of());

  public PingReply {
    trackers = List.copyOf(trackers);
  }

  /** Reports these trackers, at most {@link #MAX_TRACKERS}. */
  public static PingReply of(List<String> trackers) {
    return new PingReply(trackers.subList(0, Math.min(trackers.size(), MAX_TRACKERS)));
  }
}
