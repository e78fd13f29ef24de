package io.millrace.scripts.option;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The trackers to talk to, any of which may answer.
 *
 * @param addresses each as host:port; at least one
 */
public record TrackerAddresses(List<String> addresses) {
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\s]+):(\\d{1,5})");
  private static final int HIGHEST_PORT = 65_535;

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
      Matcher matcher = ADDRESS.matcher(address);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + address + "' is not the address of a tracker: write host:port");
      }
      int port = Integer.parseInt(matcher.group(2));
      if (port < 1 || port > HIGHEST_PORT) {
        throw new TypeConversionException(
            "'" + address + "' has port " + port + ": a port is 1 to " + HIGHEST_PORT);
      }
    }
  }
}
