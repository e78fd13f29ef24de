package io.millrace.common.rpc;

import io.millrace.common.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a node as its hello gave it.
 *
 * @param role what it may ask for
 * @param nodeId its process
 * @param group a worker's node group; a client's client group; empty for a tracker
 * @param address where its connection comes from, or leads to
 * @param software version of its software as it says; null if it does not
 */
public record Peer(
    NodeRole role, String nodeId, String group, String address, @Nullable String software) {

  /** A node that does not say what software it is. */
  public Peer(NodeRole role, String nodeId, String group, String address) {
    this(role, nodeId, group, address, null);
  }
}
