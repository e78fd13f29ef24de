package io.millrace.common.protocol;

import io.millrace.common.model.NodeRole;

/**
 * Opens a connection.
 *
 * @param minVersion lowest protocol version the caller speaks
 * @param maxVersion highest protocol version the caller speaks
 * @param role what the caller will ask for
 * @param nodeId identity of the caller's process, new with every start
 * @param group a worker's node group; a client's client group
 * @param nonce random text of the caller that the tracker's proof must cover
 */
public record Hello(
    int minVersion, int maxVersion, NodeRole role, String nodeId, String group, String nonce)
    implements Request<HelloReply> {
  public Hello {
    role = role == null ? NodeRole.UNKNOWN : role;
  }
}
