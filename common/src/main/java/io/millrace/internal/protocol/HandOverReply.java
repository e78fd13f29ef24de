package io.millrace.internal.protocol;

/**
 * Answers {@link HandOverRequest}.
 *
 * @param serving whether the tracker serves the group now
 */
public record HandOverReply(boolean serving) {}
