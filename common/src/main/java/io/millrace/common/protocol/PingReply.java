package io.millrace.common.protocol;

import java.util.List;

/**
 * Answers {@link Ping}. Told to nodes that have said hello and proven what they had to.
 *
 * @param trackers addresses of the trackers that are alive, the answering one among them; the first
 *     {@value #MAX_TRACKERS} count. Empty if the answering end does not say
 */
public record PingReply(List<String> trackers) {

  /** More are not told, and not kept. */
  public static final int MAX_TRACKERS = 64;

  /** Says nothing but that this end lives. */
  public static final PingReply ALIVE = new PingReply(List.of());

  public PingReply {
    trackers = List.copyOf(trackers);
  }

  /** Names these trackers, as many of them as are told. */
  public static PingReply of(List<String> trackers) {
    return new PingReply(trackers.subList(0, Math.min(trackers.size(), MAX_TRACKERS)));
  }
}
