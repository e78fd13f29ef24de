package io.millrace.common.rpc.memory;

import java.util.Random;

/**
 * Decides what an {@link InProcessNetwork} does to each message. Called by one thread at a time.
 */
@FunctionalInterface
public interface DeliveryPolicy {

  /** Everything arrives at once. */
  DeliveryPolicy RELIABLE = (parcel, random) -> SimulatedDelivery.AT_ONCE;

  /**
   * Decides about one message.
   *
   * @param random the network's seeded source; whoever uses no other stays repeatable
   */
  SimulatedDelivery decide(SimulatedFrame parcel, Random random);

  /** Whether a new connection between these two comes about. */
  default boolean connects(String nodeId, String address) {
    return true;
  }
}
