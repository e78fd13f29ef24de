package io.millrace.internal.protocol;

/**
 * Answers {@link Hello}.
 *
 * @param version the version that both ends use from now on
 * @param trackerId identity of the tracker
 * @param challenge random text of the tracker, which the proofs must cover
 * @param proofRequired whether {@link Authenticate} must be the next request
 */
public record HelloReply(int version, String trackerId, String challenge, boolean proofRequired) {}
