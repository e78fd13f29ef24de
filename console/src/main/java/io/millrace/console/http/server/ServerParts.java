package io.millrace.console.http.server;

import io.millrace.common.codec.JsonCodec;
import io.millrace.console.http.Authenticator;
import io.millrace.console.http.HostRules;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Refusals;
import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/**
 * The objects that the parts of a server share.
 *
 * @param now monotonic milliseconds
 */
record ServerParts(
    Vertx vertx,
    HttpLimits limits,
    Connections connections,
    Sender sender,
    Authenticator doorkeeper,
    HostRules hosts,
    JsonCodec codec,
    Refusals refusals,
    WrongTokens wrongTokens,
    LongSupplier now) {}
