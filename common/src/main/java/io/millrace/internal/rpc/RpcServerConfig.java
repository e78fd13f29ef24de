package io.millrace.internal.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Where a tracker listens, and which callers it admits.
 *
 * @param host address to bind; any address but a loopback one requires the tokens of both clients
 *     and workers
 * @param port port to bind; 0 takes a free one
 * @param advertisedHost host that others connect to; null means the bound address, or the machine's
 *     own address if the bound one is a wildcard
 * @param advertisedPort port that others connect to; 0 means the bound port
 * @param tokens tokens that callers must prove
 * @param tls certificate and key; null means no encryption
 * @param together bounds of all connections together
 * @param limits bounds of each connection
 */
public record RpcServerConfig(
    String host,
    int port,
    @Nullable String advertisedHost,
    int advertisedPort,
    RoleTokens tokens,
    @Nullable TlsIdentity tls,
    ServerLimits together,
    ConnectionLimits limits) {

  public RpcServerConfig {
    requireAddress(host, port);
    if (advertisedHost != null) {
      requireAddress(advertisedHost, port);
    }
    requireAddress(host, advertisedPort);
    if (together.maxUnsentBytes() < 2L * limits.maxFrameBytes()
        || together.maxReceivedBytes() < 2L * limits.maxFrameBytes()) {
      throw new IllegalArgumentException(
          "the limit of all connections together is less than two frames of "
              + limits.maxFrameBytes()
              + " bytes");
    }
  }

  private static void requireAddress(String host, int port) {
    HostPort unused = new HostPort(host, port);
  }

  /** Accepts connections from this machine only, without proof. */
  public static RpcServerConfig onLoopback(int port) {
    return new RpcServerConfig(
        "127.0.0.1",
        port,
        null,
        0,
        RoleTokens.NONE,
        null,
        ServerLimits.DEFAULT,
        ConnectionLimits.DEFAULT);
  }

  /** The same with other tokens. */
  public RpcServerConfig withTokens(RoleTokens others) {
    return new RpcServerConfig(
        host, port, advertisedHost, advertisedPort, others, tls, together, limits);
  }

  /** The same, with another address for others to connect to, which must lead here. */
  public RpcServerConfig advertising(HostPort address) {
    return new RpcServerConfig(
        host, port, address.host(), address.port(), tokens, tls, together, limits);
  }
}
