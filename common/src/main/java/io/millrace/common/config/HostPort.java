package io.millrace.common.config;

/**
 * Where to listen or to connect. Written {@code host:port}, an IPv6 address in brackets: {@code
 * [::1]:35001}. The name is not resolved. Immutable.
 *
 * @param host name or address, without brackets
 * @param port 0 to 65535; 0 lets a listener take any that is free
 */
public record HostPort(String host, int port) {
  private static final String EXPECTED = "must be host:port, such as 127.0.0.1:35001";

  public HostPort {
    if (host.isBlank() || host.chars().anyMatch(HostPort::cannotBeInHost)) {
      throw new IllegalArgumentException(EXPECTED);
    }
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port must be between 0 and 65535");
    }
  }

  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return new HostPort(withoutBrackets(text.substring(0, colon)), port(text.substring(colon + 1)));
  }

  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }

  private static String withoutBrackets(String host) {
    if (host.startsWith("[") && host.endsWith("]")) {
      return host.substring(1, host.length() - 1);
    }
    if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException("an IPv6 address stands in brackets: [::1]:35001");
    }
    return host;
  }

  private static int port(String digits) {
    if (!digits.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return Integer.parseInt(digits);
  }

  private static boolean cannotBeInHost(int character) {
    return Character.isWhitespace(character) || "[]/,@".indexOf(character) >= 0;
  }
}
