package io.millrace.jobtracker.store.relay;

/** The highest epoch of each relay. Writers of several relays go by the order of their names. */
public interface RelayStore {

  /**
   * Records an epoch in the transaction of the caller, unless a higher one of the relay is
   * recorded. Until the transaction ends, no other one can record an epoch of the relay.
   *
   * @param now epoch milliseconds
   * @return false if a higher epoch is recorded
   * @throws io.millrace.jobtracker.store.failure.RaceLostException if another transaction recorded
   *     the first epoch of the relay meanwhile
   */
  boolean record(String relay, long epoch, long now);

  /**
   * Forgets relays that have recorded nothing since a time.
   *
   * @param before epoch milliseconds
   * @return how many, at most the limit
   */
  int forget(long before, int limit);
}
