package io.millrace.internal.protocol;

/**
 * Who relays a stored request, and how late an attempt this is.
 *
 * @param relay the partition of stored requests, the same for all processes that relay it; 1 to
 *     {@value #MAX_RELAY_CHARS} visible characters
 * @param epoch rises with every attempt: an attempt that arrives after a higher one is out of date
 */
public record RelayEpoch(String relay, long epoch) {
  public static final int MAX_RELAY_CHARS = 64;
}
