package io.millrace.common.rpc;

import io.millrace.common.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a node as its hello gave it, at one connection: those of two connections are never
 * equal at the tracker, also if one node has opened both.
 *
 * @param role what it may ask for
 * @param nodeId its process
 * @param group a worker's node group; a client's client group; empty for a tracker
 * @param address where its connection comes from, or leads to
 * @param software version of its software as it says; null if it does not
 * @param connection number of the connection among those that this process has taken in; 0 where
 *     this process has called, or there is no connection
 */
public record Peer(
    NodeRole role,
    String nodeId,
    String group,
    String address,
    @Nullable String software,
    long connection) {

  /** A node that did not call, or by no connection. */
  public Peer(
      NodeRole role, String nodeId, String group, String address, @Nullable String software) {
    this(role, nodeId, group, address, software, 0);
  }

  /** Likewise, one that does not say what software it is. */
  public Peer(NodeRole role, String nodeId, String group, String address) {
    this(role, nodeId, group, address, null);
  }
}
