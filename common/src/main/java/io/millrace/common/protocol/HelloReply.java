package io.millrace.common.protocol;

/**
 * Answers {@link Hello}.
 *
 * @param version the version both ends speak from now on
 * @param trackerId identity of the tracker
 * @param challenge random text that the caller's proof must cover
 * @param proofRequired whether {@link Authenticate} must follow before anything else
 */
public record HelloReply(int version, String trackerId, String challenge, boolean proofRequired) {}
