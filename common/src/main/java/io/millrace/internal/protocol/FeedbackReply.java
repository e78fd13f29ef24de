package io.millrace.internal.protocol;

/**
 * Acknowledges feedback.
 *
 * @param handled how many results, counted from the first of the request, the client's listener has
 *     handled; the tracker sends the others again later
 */
public record FeedbackReply(int handled) {}
