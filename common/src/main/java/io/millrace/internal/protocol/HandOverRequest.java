package io.millrace.internal.protocol;

/**
 * Notifies a tracker that it owns a node group from now on. Answered when the tracker serves the
 * group, or when it is clear that it does not.
 *
 * @param nodeGroup the group
 */
public record HandOverRequest(String nodeGroup) implements Request<HandOverReply> {}
