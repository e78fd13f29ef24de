package io.millrace.internal.rpc.memory;

import java.util.Random;

/**
 * Decides how an {@link InProcessNetwork} delivers each message. Called by one thread at a time.
 */
@FunctionalInterface
public interface DeliveryPolicy {

  /** Everything arrives at once. */
  DeliveryPolicy RELIABLE = (parcel, random) -> SimulatedDelivery.AT_ONCE;

  /**
   * Decides about one message.
   *
   * @param random the network's seeded source; a policy that uses no other source is repeatable
   */
  SimulatedDelivery decide(SimulatedFrame parcel, Random random);

  /** Whether a new connection between these two succeeds. */
  default boolean connects(String nodeId, String address) {
    return true;
  }
}
