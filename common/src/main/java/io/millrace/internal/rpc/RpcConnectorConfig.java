package io.millrace.internal.rpc;

import io.millrace.api.TlsTrust;
import io.millrace.internal.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * The identity and the settings with which a node calls trackers.
 *
 * @param role CLIENT or WORKER; TRACKER if a tracker calls another one
 * @param nodeId identity of this process, new with every start
 * @param group a worker's node group; a client's client group
 * @param token the role's token. If set, the tracker must prove that it knows the token too; if
 *     null, trackers that require a token reject the connection
 * @param tls the authorities to trust; null means no encryption
 * @param limits bounds of each connection
 */
public record RpcConnectorConfig(
    NodeRole role,
    String nodeId,
    String group,
    @Nullable Token token,
    @Nullable TlsTrust tls,
    ConnectionLimits limits) {

  public RpcConnectorConfig {
    String fault = HelloRules.faultOf(role, nodeId, group);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    if (role == NodeRole.TRACKER && token == null) {
      throw new IllegalArgumentException(
          "a tracker needs the shared secret of the trackers to call other trackers");
    }
  }

  /** Without encryption, with the default bounds. */
  public static RpcConnectorConfig of(
      NodeRole role, String nodeId, String group, @Nullable Token token) {
    return new RpcConnectorConfig(role, nodeId, group, token, null, ConnectionLimits.OF_CALLER);
  }
}
