package io.millrace.scripts.option;

import io.millrace.common.rpc.HostPort;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The trackers to talk to, any of which may answer.
 *
 * @param addresses each as host:port; at least one
 */
public record TrackerAddresses(List<String> addresses) {
  public TrackerAddresses {
    addresses = List.copyOf(addresses);
  }

  /** All of them in one word, for a person. */
  public String joined() {
    return String.join(",", addresses);
  }

  /** The addresses as the builders of the nodes take them. */
  public String[] toArray() {
    return addresses.toArray(String[]::new);
  }

  /** Reads addresses separated by commas. */
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
          throw new IllegalArgumentException("'" + address + "' has port 0, where nobody listens");
        }
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
