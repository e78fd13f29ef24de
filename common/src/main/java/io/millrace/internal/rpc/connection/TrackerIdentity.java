package io.millrace.internal.rpc.connection;

import io.millrace.internal.rpc.RoleTokens;
import java.util.function.Supplier;

/**
 * A tracker's identity in a handshake, and the tokens that it requires.
 *
 * @param trackerId identity of the tracker
 * @param tokens tokens that callers must prove
 * @param nonces makes the challenges
 */
public record TrackerIdentity(String trackerId, RoleTokens tokens, Supplier<String> nonces) {}
