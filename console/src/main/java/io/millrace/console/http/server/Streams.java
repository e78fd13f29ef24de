package io.millrace.console.http.server;

import io.millrace.console.http.Call;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.Problem;
import io.millrace.console.http.ProblemException;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.store.console.Role;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;

/**
 * The open event streams, bounded in total and per token. A stream ends when its token or session
 * would no longer be admitted. Confined to the server's event loop.
 */
final class Streams {
  static final int MAX_STREAMS = 100;
  static final int MAX_STREAMS_OF_A_TOKEN = 10;

  private final ServerParts parts;
  private final Shares streams = new Shares(MAX_STREAMS, MAX_STREAMS_OF_A_TOKEN);

  Streams(ServerParts parts) {
    this.parts = parts;
  }

  void begin(Route route, RoutingContext context, Call call) {
    Sender sender = parts.sender();
    Connection connection = sender.connectionOf(context.request());
    if (connection == null || context.response().closed()) {
      return;
    }
    String token = call.caller().name();
    Optional<Runnable> taken = streams.take(token, 1);
    if (taken.isEmpty()) {
      context.fail(
          Problem.Kind.UNAVAILABLE.because(
              ("too many open streams: a token may have %d of %s and similar operations, all"
                      + " tokens together %d")
                  .formatted(MAX_STREAMS_OF_A_TOKEN, route.operation(), MAX_STREAMS)));
      return;
    }
    parts.connections().streaming(connection, parts.now().getAsLong());
    ResponseEvents events = new ResponseEvents(context.response(), sender::hasRoom);
    long asking =
        parts
            .vertx()
            .setPeriodic(
                parts.limits().askAgain().toMillis(), due -> askAgain(route, context, events));
    events
        .closed()
        .whenComplete(
            (gone, failure) -> {
              taken.get().run();
              boolean unused = parts.vertx().cancelTimer(asking);
              parts.connections().ended(connection, parts.now().getAsLong());
            });
    context.response().setChunked(true).putHeader("Content-Type", "text/event-stream");
    Objects.requireNonNull(route.streamer()).stream(call, events);
  }

  /**
   * Authenticates the stream again. Only a rejection ends the stream; a failure of the database
   * does not.
   */
  private void askAgain(Route route, RoutingContext context, ResponseEvents events) {
    Credentials credentials = Requests.credentials(context.request(), parts.hosts());
    Role needed = Objects.requireNonNull(route.role());
    parts
        .vertx()
        .executeBlocking(() -> parts.doorkeeper().admit(credentials, false, needed), false)
        .onComplete(
            admitted -> {
              if (admitted.failed() && admitted.cause() instanceof ProblemException) {
                events.end();
              }
            });
  }
}
