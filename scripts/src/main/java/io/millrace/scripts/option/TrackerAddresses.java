package io.millrace.scripts.option;

import io.millrace.internal.rpc.HostPort;
import java.util.Arrays;
import java.util.List;

/**
 * The addresses of the trackers to use, any of which may respond.
 *
 * @param addresses each as host:port; at least one
 */
public record TrackerAddresses(List<String> addresses) {
  public TrackerAddresses {
    addresses = List.copyOf(addresses);
  }

  /** Returns the addresses as one string, for display. */
  public String joined() {
    return String.join(",", addresses);
  }

  /** Returns the addresses in the form that the node builders take. */
  public String[] toArray() {
    return addresses.toArray(String[]::new);
  }

  /**
   * Parses addresses separated by commas.
   *
   * @throws IllegalArgumentException if one of them is invalid
   */
  public static TrackerAddresses parse(String text) {
    List<String> addresses = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    addresses.forEach(TrackerAddresses::check);
    return new TrackerAddresses(addresses);
  }

  private static void check(String address) {
    if (HostPort.parse(address).port() == 0) {
      throw new IllegalArgumentException(
          "'" + address + "' has port 0, which is not a valid port to connect to");
    }
  }
}
