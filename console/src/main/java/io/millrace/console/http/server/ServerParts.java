package io.millrace.console.http.server;

import io.millrace.console.http.Authenticator;
import io.millrace.console.http.HostRules;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Refusals;
import io.millrace.internal.codec.JsonCodec;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
    LongSupplier now) {

  /** Does work that may block, and continues on the event loop; a failure fails the request. */
  <T> void blocking(RoutingContext context, Callable<T> work, Consumer<T> then) {
    vertx
        .executeBlocking(work, false)
        .onComplete(
            done -> {
              if (done.succeeded()) {
                then.accept(done.result());
              } else {
                context.fail(done.cause());
              }
            });
  }
}
