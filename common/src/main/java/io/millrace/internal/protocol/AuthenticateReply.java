package io.millrace.internal.protocol;

/**
 * Answers {@link Authenticate}.
 *
 * @param proof the tracker's proof that it knows the token, so that the caller can trust the
 *     tracker
 */
public record AuthenticateReply(String proof) {}
