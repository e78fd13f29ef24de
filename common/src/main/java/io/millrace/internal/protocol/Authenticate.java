package io.millrace.internal.protocol;

/**
 * Proves knowledge of the role's token without sending it.
 *
 * @param proof lower-case hex of HMAC-SHA256 keyed with the token; the covered text is in
 *     docs/wire-protocol.md
 */
public record Authenticate(String proof) implements Request<AuthenticateReply> {}
