package io.millrace.common.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Where a tracker listens, and whom it lets in.
 *
 * @param host address to bind; anything but a loopback address needs the tokens of both roles
 * @param port port to bind; 0 takes a free one
 * @param advertisedHost host that others reach this tracker by; null means the bound address, or
 *     the machine's own if that is a wildcard
 * @param advertisedPort port that others reach this tracker by; 0 means the bound one
 * @param tokens what callers must prove
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
          "what all connections may hold together is less than two frames of "
              + limits.maxFrameBytes()
              + " bytes");
    }
  }

  /** Others reach it by the port it listens at. */
  public RpcServerConfig(
      String host,
      int port,
      @Nullable String advertisedHost,
      RoleTokens tokens,
      @Nullable TlsIdentity tls,
      int maxConnections,
      ConnectionLimits limits) {
    this(
        host,
        port,
        advertisedHost,
        0,
        tokens,
        tls,
        ServerLimits.DEFAULT.withMaxConnections(maxConnections),
        limits);
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
        ServerLimits.DEFAULT.maxConnections(),
        ConnectionLimits.DEFAULT);
  }

  /** The same with other tokens. */
  public RpcServerConfig withTokens(RoleTokens others) {
    return new RpcServerConfig(
        host, port, advertisedHost, advertisedPort, others, tls, together, limits);
  }

  /** The same, reached by others at another address, which leads here. */
  public RpcServerConfig advertising(HostPort address) {
    return new RpcServerConfig(
        host, port, address.host(), address.port(), tokens, tls, together, limits);
  }
}
