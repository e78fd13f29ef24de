package io.millrace.internal.rpc;

import io.millrace.internal.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a node on one connection, as given in its hello. At the tracker the identities of two
 * connections are never equal, even if one node opened both.
 *
 * @param role decides which requests the node may send
 * @param nodeId identity of the node's process
 * @param group a worker's node group; a client's client group; empty for a tracker
 * @param address remote address of the connection
 * @param software version of the node's software as it reports it; null if it does not
 * @param connection number of the connection among those that this process accepted; 0 if this
 *     process opened it, or there is no connection
 */
public record Peer(
    NodeRole role,
    String nodeId,
    String group,
    String address,
    @Nullable String software,
    long connection) {

  /** A node that this process called, or one without a connection. */
  public Peer(
      NodeRole role, String nodeId, String group, String address, @Nullable String software) {
    this(role, nodeId, group, address, software, 0);
  }

  /** The same, for a node that does not report its software. */
  public Peer(NodeRole role, String nodeId, String group, String address) {
    this(role, nodeId, group, address, null);
  }
}
