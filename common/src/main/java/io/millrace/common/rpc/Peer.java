package io.millrace.common.rpc;

import io.millrace.common.model.NodeRole;

/**
 * Identity of a node as its hello gave it.
 *
 * @param role what it may ask for
 * @param nodeId its process
 * @param group a worker's node group; a client's client group; empty for a tracker
 * @param address where its connection comes from, or leads to
 */
public record Peer(NodeRole role, String nodeId, String group, String address) {}
