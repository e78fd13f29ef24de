package io.millrace.common.protocol;

/**
 * Answers {@link LogRequest}.
 *
 * @param stored how many lines are stored, counting those that were so before
 */
public record LogReply(int stored) {}
