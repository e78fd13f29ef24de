package io.millrace.internal.rpc;

/**
 * An address to listen on or to connect to. Written {@code host:port}, an IPv6 address in brackets:
 * {@code [::1]:35001}. The name is not resolved. Immutable.
 *
 * @param host name or address, without brackets
 * @param port 0 to 65,535; 0 lets a listener choose a free port
 */
public record HostPort(String host, int port) {
  private static final int MAX_PORT = 65_535;

  public HostPort {
    if (host.isBlank() || host.chars().anyMatch(HostPort::cannotBeInHost)) {
      throw new IllegalArgumentException("'" + host + "' is not a valid host");
    }
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + " is not between 0 and " + MAX_PORT);
    }
  }

  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException if the text has another form; the message says what is wrong
   *     and what the form is
   */
  public static HostPort parse(String address) {
    int colon = address.lastIndexOf(':');
    if (colon < 0) {
      throw malformed(address, "the port is missing");
    }
    String host = address.substring(0, colon);
    String port = address.substring(colon + 1);
    if (!port.matches("[0-9]{1,5}")) {
      throw malformed(address, "'" + port + "' is not a valid port");
    }
    try {
      return new HostPort(withoutBrackets(host), Integer.parseInt(port));
    } catch (IllegalArgumentException e) {
      throw malformed(address, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  private static String withoutBrackets(String host) {
    if (host.startsWith("[") && host.endsWith("]")) {
      return host.substring(1, host.length() - 1);
    }
    if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException("an IPv6 address must be in brackets: [::1]:35001");
    }
    return host;
  }

  private static boolean cannotBeInHost(int character) {
    return Character.isWhitespace(character) || "[]/,@".indexOf(character) >= 0;
  }

  private static IllegalArgumentException malformed(String address, String why) {
    return new IllegalArgumentException("'" + address + "' is not host:port: " + why);
  }
}
