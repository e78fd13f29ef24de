package io.millrace.common.rpc.connection;

import io.millrace.common.rpc.RoleTokens;
import java.util.function.Supplier;

/**
 * What a tracker says of itself in a handshake, and what it demands.
 *
 * @param trackerId identity of the tracker
 * @param tokens what callers must prove
 * @param nonces makes challenges nobody can foresee
 */
public record TrackerIdentity(String trackerId, RoleTokens tokens, Supplier<String> nonces) {}
