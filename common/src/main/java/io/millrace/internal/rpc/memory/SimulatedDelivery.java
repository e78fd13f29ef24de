package io.millrace.internal.rpc.memory;

import java.time.Duration;

/**
 * How an {@link InProcessNetwork} delivers one message.
 *
 * @param fate whether and how the message arrives
 * @param delay how long the delivery takes
 */
public record SimulatedDelivery(Fate fate, Duration delay) {

  /** Whether and how a message arrives. */
  public enum Fate {
    /** Arrives after every message that was sent in order before it on the same connection. */
    IN_ORDER,
    /** Arrives after its own delay, regardless of earlier messages. */
    OVERTAKING,
    /** Never arrives; the connection does not notice. */
    DROPPED,
    /** Never arrives, and its connection is closed at both ends. */
    CUT
  }

  /** Arrives at once, in order. */
  public static final SimulatedDelivery AT_ONCE =
      new SimulatedDelivery(Fate.IN_ORDER, Duration.ZERO);

  public static final SimulatedDelivery DROPPED =
      new SimulatedDelivery(Fate.DROPPED, Duration.ZERO);

  public static final SimulatedDelivery CUT = new SimulatedDelivery(Fate.CUT, Duration.ZERO);

  /** Arrives in order, no sooner than after this delay. */
  public static SimulatedDelivery after(Duration delay) {
    return new SimulatedDelivery(Fate.IN_ORDER, delay);
  }

  /** Arrives after this delay, regardless of earlier messages. */
  public static SimulatedDelivery overtakingAfter(Duration delay) {
    return new SimulatedDelivery(Fate.OVERTAKING, delay);
  }
}
