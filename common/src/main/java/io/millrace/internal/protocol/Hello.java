package io.millrace.internal.protocol;

import io.millrace.internal.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection.
 *
 * @param minVersion lowest protocol version the caller speaks
 * @param maxVersion highest protocol version the caller speaks
 * @param role role of the caller
 * @param nodeId identity of the caller's process, new with every start
 * @param group a worker's node group; a client's client group; empty for a tracker
 * @param nonce random text of the caller, which the proofs must cover
 * @param software version of the caller's software, for people to read; null means unknown
 */
public record Hello(
    int minVersion,
    int maxVersion,
    NodeRole role,
    String nodeId,
    String group,
    String nonce,
    @Nullable String software)
    implements Request<HelloReply> {
  public Hello {
    role = role == null ? NodeRole.UNKNOWN : role;
  }

  /** A hello without the version of the caller's software. */
  public Hello(
      int minVersion, int maxVersion, NodeRole role, String nodeId, String group, String nonce) {
    this(minVersion, maxVersion, role, nodeId, group, nonce, null);
  }
}
