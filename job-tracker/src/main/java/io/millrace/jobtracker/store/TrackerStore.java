package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.List;

/** The trackers of this store: each leases a number, which is part of the ids that it generates. */
public interface TrackerStore {

  /**
   * A tracker.
   *
   * @param number its leased number, 0 to 1023
   * @param trackerId the identity of its process
   * @param address the address for other nodes; {@link #STARTING} until it is ready
   * @param leaseUntil epoch milliseconds
   * @param featureLevel the {@link FeatureLevel#number number} of the level that it stated itself;
   *     0 if it stated none, whatever an earlier holder of the number stated
   */
  record Tracker(int number, String trackerId, String address, long leaseUntil, int featureLevel) {}

  /** The address of a tracker that holds a number but is not ready yet. */
  String STARTING = "";

  /**
   * How long a number rests after its lease has expired (1 h), while other numbers are free: a
   * process that was paused must not find its number in use by another tracker.
   */
  Duration REST = Duration.ofHours(1);

  /**
   * Leases the lowest number that is free and does not rest; if all free numbers rest, the one that
   * has rested longest.
   *
   * @param featureLevel the level of its software
   * @throws StoreException if all are held
   */
  Tracker acquire(String trackerId, String address, int featureLevel, long now, long leaseUntil);

  /** As {@link #acquire(String, String, int, long, long)}, for this software. */
  default Tracker acquire(String trackerId, String address, long now, long leaseUntil) {
    return acquire(trackerId, address, FeatureLevel.OWN.number(), now, leaseUntil);
  }

  /** Publishes the tracker's address, if it still holds its number: from now on it is live. */
  void announce(int number, String trackerId, String address);

  /**
   * Renews the lease.
   *
   * @return false if the lease was lost: the tracker must stop serving
   */
  boolean renew(int number, String trackerId, long leaseUntil);

  /**
   * Ends the lease now, if the tracker still holds it: the tracker counts as gone, and its number
   * rests.
   */
  void retire(int number, String trackerId, long now);

  /** Ends the lease and frees the number at once, if the tracker still holds it. */
  void release(int number, String trackerId);

  /**
   * Returns the trackers whose lease has not expired, those that are starting too, in order of
   * number.
   */
  List<Tracker> holders(long now);

  /** Returns trackers with a number above this one, live or not, in order of number. */
  List<Tracker> list(int aboveNumber, int limit);

  /**
   * Returns the secret by which the trackers of this store authenticate one another: permanently
   * the first one proposed.
   *
   * @param proposal stored if there is no secret yet; up to 256 characters
   */
  String clusterSecret(String proposal);

  /** Returns the level below which no tracker starts. */
  FeatureLevel requiredLevel();

  /**
   * Raises the required level to this one, unless it is as high already. Returns after the commit:
   * a tracker that leases its number afterwards, and then reads the required level, finds it.
   *
   * @throws IllegalStateException if the calling thread is in a transaction
   */
  void require(FeatureLevel level);

  /**
   * Returns the highest id of all jobs, waiting triggers, executions, batches, ledger rows and
   * feedback, so that new ids are above it.
   */
  long highestId();
}
