package io.millrace.jobclient.internal.relay;

import io.millrace.internal.protocol.RelayEpoch;

/**
 * A partition that this relay may send. Used by one thread.
 *
 * <p>Each attempt to send has an epoch of its own, higher than that of every attempt before it: the
 * epoch of the lease, followed by the number of the attempt.
 */
final class PartitionLease {
  /** An epoch of a lease is at most a time in milliseconds, which leaves 20 bits until 2248. */
  private static final int ATTEMPT_BITS = 20;

  /** Leaves some for the round that uses up the last: it may send each of its rows alone. */
  private static final long MOST_ATTEMPTS = (1 << ATTEMPT_BITS) - 2_048;

  private final int partition;
  private final String relay;
  private final long epoch;
  private long attempts;

  PartitionLease(int partition, String relay, long epoch) {
    this.partition = partition;
    this.relay = relay;
    this.epoch = epoch;
  }

  int partition() {
    return partition;
  }

  long epoch() {
    return epoch;
  }

  /** Whether all attempts of this lease are used up; a new lease has others. */
  boolean isUsedUp() {
    return attempts >= MOST_ATTEMPTS;
  }

  /** Returns the epoch of the next attempt. */
  RelayEpoch nextAttempt() {
    return new RelayEpoch(relay + "/" + partition, (epoch << ATTEMPT_BITS) + attempts++);
  }
}
