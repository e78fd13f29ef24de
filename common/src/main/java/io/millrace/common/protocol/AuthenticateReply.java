package io.millrace.common.protocol;

/**
 * Answers {@link Authenticate}.
 *
 * @param proof the tracker's own proof of knowing the token, so that the caller knows whom it talks
 *     to
 */
public record AuthenticateReply(String proof) {}
