package io.millrace.console;

import io.millrace.console.http.HttpLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a tracker listens for those who operate it.
 *
 * @param host to listen on
 * @param port to listen on; 0 for any that is free
 * @param tls certificate chain and key; null to go without, which is meant for a loopback address
 * @param session how long a browser stays signed in
 * @param hosts names, besides localhost and addresses, by which browsers and proxies ask it
 * @param limits bounds of the server
 */
public record ConsoleConfig(
    String host,
    int port,
    @Nullable Tls tls,
    Duration session,
    List<String> hosts,
    HttpLimits limits) {
  /** Threads that answer operators, and so the connections to the database they can occupy. */
  public static final int THREADS = 4;

  public static final int DEFAULT_PORT = 8_081;
  public static final Duration DEFAULT_SESSION = Duration.ofHours(12);

  /**
   * PEM files.
   *
   * @param certificate the chain, the tracker's own first
   * @param key the private key, PKCS#8, not encrypted
   */
  public record Tls(Path certificate, Path key) {}

  public ConsoleConfig {
    hosts = List.copyOf(hosts);
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("a port is 0 to 65535");
    }
    if (session.compareTo(Duration.ofMinutes(1)) < 0
        || session.compareTo(Duration.ofDays(31)) > 0) {
      throw new IllegalArgumentException("a session lasts 1m to 31d");
    }
  }

  /** With the usual bounds, and by no other name. */
  public ConsoleConfig(String host, int port, @Nullable Tls tls, Duration session) {
    this(host, port, tls, session, List.of(), HttpLimits.DEFAULT);
  }

  /** The same with other bounds. */
  public ConsoleConfig within(HttpLimits others) {
    return new ConsoleConfig(host, port, tls, session, hosts, others);
  }

  /** Listens on this machine alone. */
  public static ConsoleConfig onLoopback(int port) {
    return new ConsoleConfig("127.0.0.1", port, null, DEFAULT_SESSION);
  }

  /** Whether nobody outside this machine can reach it. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
