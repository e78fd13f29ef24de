package io.millrace.console.http.server;

import io.millrace.console.http.EventStream;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** An event stream as the body of a response. */
final class ResponseEvents implements EventStream {
  private final HttpServerResponse response;
  private final BooleanSupplier room;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  /**
   * @param room whether memory is left for events that clients have not received
   */
  ResponseEvents(HttpServerResponse response, BooleanSupplier room) {
    this.response = response;
    this.room = room;
    response.closeHandler(gone -> closed.complete(null));
    response.exceptionHandler(failure -> closed.complete(null));
    response.endHandler(gone -> closed.complete(null));
  }

  @Override
  public void send(String id, String event, String data) {
    StringBuilder text = new StringBuilder();
    text.append("id: ").append(id).append("\nevent: ").append(event).append('\n');
    data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
    write(text.append('\n').toString());
  }

  @Override
  public void keepAlive() {
    write(": still here\n\n");
  }

  private void write(String text) {
    if (!closed.isDone()) {
      Future<Void> unused = response.write(text);
    }
  }

  @Override
  public boolean isReady() {
    return !closed.isDone() && !response.writeQueueFull() && room.getAsBoolean();
  }

  @Override
  public CompletionStage<Void> closed() {
    return closed;
  }

  @Override
  public void end() {
    if (!closed.isDone()) {
      Future<Void> unused = response.end();
      closed.complete(null);
    }
  }
}
