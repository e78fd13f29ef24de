package io.millrace.scripts.option;

import io.millrace.common.rpc.HostPort;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

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

  /** Parses addresses separated by commas. */
  public static final class Converter implements ITypeConverter<TrackerAddresses> {

    @Override
    public TrackerAddresses convert(String text) {
      List<String> addresses = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
      addresses.forEach(Converter::check);
      return new TrackerAddresses(addresses);
    }

    private static void check(String address) {
      try {
        if (HostPort.parse(address).port() == 0) {
          throw new IllegalArgumentException(
              "'" + address + "' has port 0, which is not a valid port to connect to");
        }
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
