package io.millrace.spring.internal.config;

/** Where the client and the worker find trackers. What they connect to exists from now on. */
public interface TrackerAddresses {

  /**
   * Returns the addresses, as host:port.
   *
   * @throws MillraceStartException naming the address that is wrong
   */
  String[] trackers();
}
