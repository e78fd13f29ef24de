package io.millrace.common.protocol;

/**
 * Acknowledges feedback.
 *
 * @param handled how many results, counted from the first of the request, the client's listener has
 *     taken; the rest is told again later
 */
public record FeedbackReply(int handled) {}
