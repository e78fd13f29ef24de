package io.millrace.common.rpc;

/**
 * An address as users write it: {@code host:port}, with an IPv6 host in brackets.
 *
 * @param host a name or a number
 * @param port 0 to 65,535
 */
record HostPort(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if the text is not host:port
   */
  static HostPort parse(String address) {
    int colon = address.lastIndexOf(':');
    if (colon < 1) {
      throw malformed(address);
    }
    String host = address.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw malformed(address);
    }
    return new HostPort(host, port(address, address.substring(colon + 1)));
  }

  private static int port(String address, String digits) {
    try {
      int port = Integer.parseInt(digits);
      if (port >= 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw malformed(address);
    }
    throw malformed(address);
  }

  private static IllegalArgumentException malformed(String address) {
    return new IllegalArgumentException("not an address of the form host:port: " + address);
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
