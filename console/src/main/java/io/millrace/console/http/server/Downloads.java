package io.millrace.console.http.server;

import io.millrace.console.http.Caller;
import io.millrace.console.http.Problem;
import io.millrace.console.http.TextFile;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * Sends text files part by part: a part is read when the client has taken the one before. Their
 * number is bounded in total and per token, and so is their memory. A failure in the middle resets
 * the response, so that the client does not take it for complete. Confined to the server's event
 * loop.
 */
final class Downloads {
  static final int MAX_DOWNLOADS = 16;
  static final int MAX_DOWNLOADS_OF_A_TOKEN = 4;

  private final ServerParts parts;
  private final Shares downloads = new Shares(MAX_DOWNLOADS, MAX_DOWNLOADS_OF_A_TOKEN);

  Downloads(ServerParts parts) {
    this.parts = parts;
  }

  void begin(RoutingContext context, Caller caller, String mediaType, TextFile file) {
    Connection connection = parts.sender().connectionOf(context.request());
    if (connection == null || context.response().closed()) {
      return;
    }
    Optional<Runnable> taken = downloads.take(caller.name(), 1);
    if (taken.isEmpty()) {
      context.fail(
          Problem.Kind.UNAVAILABLE.because(
              "too many downloads: a token may have %d at a time, all tokens together %d"
                  .formatted(MAX_DOWNLOADS_OF_A_TOKEN, MAX_DOWNLOADS)));
      return;
    }
    int unused = context.addEndHandler(ended -> taken.get().run());
    context
        .response()
        .setChunked(true)
        .putHeader("Content-Type", mediaType)
        .putHeader("Content-Disposition", "attachment; filename=\"" + file.name() + "\"");
    sendNext(context, connection, file.parts());
  }

  private void sendNext(RoutingContext context, Connection connection, TextFile.Parts text) {
    parts.blocking(
        context,
        () -> Optional.ofNullable(text.next()),
        part ->
            part.ifPresentOrElse(
                next -> send(context, connection, text, next),
                () -> parts.sender().end(context.request(), null)));
  }

  private void send(
      RoutingContext context, Connection connection, TextFile.Parts text, String part) {
    HttpServerResponse response = context.response();
    if (response.closed()) {
      return;
    }
    Buffer bytes = Buffer.buffer(part);
    long unused = parts.connections().sending(connection, bytes.length(), parts.now().getAsLong());
    Future<Void> written = response.write(bytes);
    Future<Void> ignored =
        written.onSuccess(
            done -> {
              parts.connections().answering(connection, parts.now().getAsLong());
              sendNext(context, connection, text);
            });
  }
}
