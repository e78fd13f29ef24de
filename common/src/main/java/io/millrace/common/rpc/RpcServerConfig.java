package io.millrace.common.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Where a tracker listens, and whom it lets in.
 *
 * @param host address to bind; anything but a loopback address needs the tokens of both roles
 * @param port port to bind; 0 takes a free one
 * @param advertisedHost host that others reach this tracker by; null means the bound address, or
 *     the machine's own if that is a wildcard
 * @param tokens what callers must prove
 * @param tls certificate and key; null means no encryption
 * @param maxConnections connections at a time; more are closed at once
 * @param limits bounds of each connection
 */
public record RpcServerConfig(
    String host,
    int port,
    @Nullable String advertisedHost,
    RoleTokens tokens,
    @Nullable TlsIdentity tls,
    int maxConnections,
    ConnectionLimits limits) {

  public static final int DEFAULT_MAX_CONNECTIONS = 10_000;

  public RpcServerConfig {
    requireAddress(host, port);
    if (advertisedHost != null) {
      requireAddress(advertisedHost, port);
    }
    if (maxConnections < 1) {
      throw new IllegalArgumentException("maxConnections is out of bounds: " + maxConnections);
    }
  }

  private static void requireAddress(String host, int port) {
    HostPort unused = new HostPort(host, port);
  }

  /** Listens for this machine alone, without proof. */
  public static RpcServerConfig onLoopback(int port) {
    return new RpcServerConfig(
        "127.0.0.1",
        port,
        null,
        RoleTokens.NONE,
        null,
        DEFAULT_MAX_CONNECTIONS,
        ConnectionLimits.DEFAULT);
  }

  /** The same with other tokens. */
  public RpcServerConfig withTokens(RoleTokens others) {
    return new RpcServerConfig(host, port, advertisedHost, others, tls, maxConnections, limits);
  }
}
