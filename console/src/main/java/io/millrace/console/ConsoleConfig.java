package io.millrace.console;

import io.millrace.console.access.oidc.OidcConfig;
import io.millrace.console.http.HttpLimits;
import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Check;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a tracker serves its console.
 *
 * @param host the host to listen on
 * @param port the port to listen on; 0 for any free port
 * @param tls certificate chain and key; null for no TLS, which is meant for a loopback address
 * @param session how long a browser stays signed in
 * @param maxTokenLife the longest life of a token that is issued or renewed; null if it may have no
 *     end
 * @param hosts host names by which browsers and proxies address the console, besides localhost and
 *     IP addresses; if empty, every name is accepted, except on a loopback address
 * @param oidc the identity provider through which persons sign in besides tokens; null for none
 * @param limits limits of the server
 */
public record ConsoleConfig(
    String host,
    int port,
    @Nullable Tls tls,
    Duration session,
    @Nullable Duration maxTokenLife,
    List<String> hosts,
    @Nullable OidcConfig oidc,
    HttpLimits limits) {
  /** Threads that answer operators; also the most database connections that they occupy. */
  public static final int THREADS = 4;

  public static final int DEFAULT_PORT = 8_081;
  public static final Duration DEFAULT_SESSION = Duration.ofHours(12);

  /** What the longest life of a token may be set to. */
  static final Bounds<Duration> MAX_TOKEN_LIFE =
      Bounds.between(Duration.ofDays(1), Duration.ofDays(36_500));

  /**
   * The PEM files for TLS.
   *
   * @param certificate the certificate chain, starting with the tracker's own certificate
   * @param key the private key, PKCS#8, not encrypted
   */
  public record Tls(Path certificate, Path key) {}

  public ConsoleConfig {
    hosts = List.copyOf(hosts);
    Bounds.between(0, 65_535).check("a port", port);
    Check.that(
        Bounds.between(Duration.ofMinutes(1), Duration.ofDays(31)).include(session),
        "a session must last between 1m and 31d");
    Check.that(
        maxTokenLife == null || MAX_TOKEN_LIFE.include(maxTokenLife),
        "the longest life of a token must be between 1d and 36500d");
  }

  /** A configuration with the default limits and no host names. */
  public ConsoleConfig(String host, int port, @Nullable Tls tls, Duration session) {
    this(host, port, tls, session, null, List.of(), null, HttpLimits.DEFAULT);
  }

  /** Returns this configuration with other limits. */
  public ConsoleConfig within(HttpLimits others) {
    return new ConsoleConfig(host, port, tls, session, maxTokenLife, hosts, oidc, others);
  }

  /** Returns this configuration with an identity provider. */
  public ConsoleConfig with(OidcConfig provider) {
    return new ConsoleConfig(host, port, tls, session, maxTokenLife, hosts, provider, limits);
  }

  /** Returns a configuration that listens on 127.0.0.1 only, without TLS. */
  public static ConsoleConfig onLoopback(int port) {
    return new ConsoleConfig("127.0.0.1", port, null, DEFAULT_SESSION);
  }

  /** Whether the console is reachable from this machine only. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
