package io.millrace.jobtracker.store;

import java.util.List;

/** The trackers on this store: each leases a number, which its ids carry. */
public interface TrackerStore {

  /**
   * A tracker.
   *
   * @param number its leased number, 0 to 1023
   * @param trackerId identity of its process
   * @param address where nodes reach it
   * @param leaseUntil epoch milliseconds
   */
  record Tracker(int number, String trackerId, String address, long leaseUntil) {}

  /**
   * Leases the lowest number that nobody holds, now.
   *
   * @throws StoreException if all are held
   */
  Tracker acquire(String trackerId, String address, long now, long leaseUntil);

  /**
   * Extends the lease.
   *
   * @return false if the lease was lost: the tracker must stop serving
   */
  boolean renew(int number, String trackerId, long leaseUntil);

  /** Ends the lease, if the tracker still has it. */
  void release(int number, String trackerId);

  /** Trackers whose lease has not run out. */
  List<Tracker> live(long now);

  /** The highest id that any row of the store carries, so that new ids rise above it. */
  long highestId();
}
