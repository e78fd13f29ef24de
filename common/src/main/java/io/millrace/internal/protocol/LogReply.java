package io.millrace.internal.protocol;

/**
 * Answers {@link LogRequest}.
 *
 * @param stored how many lines of the request are stored, including those stored before
 */
public record LogReply(int stored) {}
