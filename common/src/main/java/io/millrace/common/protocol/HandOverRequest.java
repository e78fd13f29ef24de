package io.millrace.common.protocol;

/**
 * Tells a tracker that a node group is its own from now on. Answered when it serves the group, or
 * when it is clear that it does not.
 *
 * @param nodeGroup the group
 */
public record HandOverRequest(String nodeGroup) implements Request<HandOverReply> {}
