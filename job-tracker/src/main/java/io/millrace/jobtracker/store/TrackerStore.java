package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.List;

/** The trackers on this store: each leases a number, which its ids carry. */
public interface TrackerStore {

  /**
   * A tracker.
   *
   * @param number its leased number, 0 to 1023
   * @param trackerId identity of its process
   * @param address where nodes reach it; {@link #STARTING} until it serves
   * @param leaseUntil epoch milliseconds
   */
  record Tracker(int number, String trackerId, String address, long leaseUntil) {}

  /** The address of a tracker that holds a number and is not ready to serve. */
  String STARTING = "";

  /**
   * How long a number rests when its lease has run out (1 h), as long as there are others: a
   * process that was stopped for a while must not find its number with another.
   */
  Duration REST = Duration.ofHours(1);

  /**
   * Leases the lowest number that nobody holds and that does not rest; if all that nobody holds do,
   * the one that has rested longest.
   *
   * @throws StoreException if all are held
   */
  Tracker acquire(String trackerId, String address, long now, long leaseUntil);

  /** Says where nodes reach the tracker, if it still has its number: from now on it is live. */
  void announce(int number, String trackerId, String address);

  /**
   * Extends the lease.
   *
   * @return false if the lease was lost: the tracker must stop serving
   */
  boolean renew(int number, String trackerId, long leaseUntil);

  /**
   * Lets the lease run out now, if the tracker still has it: it counts as gone from now on, while
   * its number rests.
   */
  void retire(int number, String trackerId, long now);

  /** Ends the lease and gives the number back, if the tracker still has it. */
  void release(int number, String trackerId);

  /** Trackers with a number above this one, whether they live or not, in order of their numbers. */
  List<Tracker> list(int aboveNumber, int limit);

  /** Trackers that are ready to serve and whose lease has not run out. */
  List<Tracker> live(long now);

  /**
   * The secret that the trackers of this store prove to one another: the one that was proposed
   * first, for ever.
   *
   * @param proposal kept if there is none yet; up to 256 characters
   */
  String clusterSecret(String proposal);

  /** The highest id that any row of the store carries, so that new ids rise above it. */
  long highestId();
}
