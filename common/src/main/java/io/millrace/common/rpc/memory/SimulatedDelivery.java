package io.millrace.common.rpc.memory;

import java.time.Duration;

/**
 * What becomes of one message of an {@link InProcessNetwork}.
 *
 * @param fate whether and how it arrives
 * @param delay how long it takes
 */
public record SimulatedDelivery(Fate fate, Duration delay) {

  /** Ways a message may go. */
  public enum Fate {
    /** Arrives, after every message that was sent before it on the same connection. */
    IN_ORDER,
    /** Arrives when its own delay is over, whatever was sent before it. */
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

  /** Arrives after this delay, whatever was sent before it. */
  public static SimulatedDelivery overtakingAfter(Duration delay) {
    return new SimulatedDelivery(Fate.OVERTAKING, delay);
  }
}
