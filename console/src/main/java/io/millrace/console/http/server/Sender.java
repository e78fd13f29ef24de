package io.millrace.console.http.server;

import io.millrace.console.http.Gzip;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Refusals;
import io.millrace.console.http.Refusals.Reason;
import io.millrace.console.http.Reply;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends responses, and bounds the memory of those that peers have not received. Confined to the
 * server's event loop.
 */
final class Sender {
  /** The most bytes of unsent answers in memory. An answer of at most 4 KiB is sent in any case. */
  static final long MAX_UNSENT_BYTES = 64L << 20;

  private static final int SMALL = 4 << 10;
  private static final String CONTENT_TYPE = "Content-Type";

  /** When an answer was sent, in milliseconds since 1970. */
  private static final String TIME = "Millrace-Time";

  private static final String CONTENT_ENCODING = "Content-Encoding";
  private static final String CONNECTION = "Connection";
  private static final String CLOSE = "close";

  /** Restricts the console's pages to resources of this server, without inline scripts. */
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cache-Control",
          "no-store");

  private final Connections connections;
  private final Refusals refusals;
  private final JsonCodec codec;
  private final Clock clock;
  private final LongSupplier now;

  /**
   * @param clock tells clients what time it is here
   * @param now milliseconds of a clock that is never set
   */
  Sender(
      Connections connections, Refusals refusals, JsonCodec codec, Clock clock, LongSupplier now) {
    this.connections = connections;
    this.refusals = refusals;
    this.codec = codec;
    this.clock = clock;
    this.now = now;
  }

  /** Adds the headers that every answer has. */
  static void putSecurityHeaders(HttpServerResponse response) {
    SECURITY_HEADERS.forEach(response::putHeader);
  }

  /** Clients compute ages from it: their own clocks may be wrong. */
  private void putTime(HttpServerResponse response) {
    response.putHeader(TIME, Long.toString(clock.millis()));
  }

  /** Whether memory is left for more unsent bytes. */
  boolean hasRoom() {
    return connections.unsentBytes() < MAX_UNSENT_BYTES;
  }

  /** Sends an answer. */
  void send(HttpServerRequest request, Reply reply) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    Object content = reply.content();
    byte[] bytes =
        content == null ? new byte[0] : content instanceof byte[] raw ? raw : codec.encode(content);
    response.setStatusCode(reply.status());
    putTime(response);
    if (!reply.cookies().isEmpty()) {
      response.putHeader("Set-Cookie", reply.cookies());
    }
    if (reply.location() != null) {
      response.putHeader("Location", reply.location());
    }
    if (reply.tag() != null) {
      response.putHeader("ETag", reply.tag());
    }
    if (content == null) {
      end(request, null);
      return;
    }
    response.putHeader(CONTENT_TYPE, reply.mediaType());
    end(request, Buffer.buffer(packedIfLarge(request, reply, bytes)));
  }

  /**
   * Compresses a large answer for a client that takes it so. One with an entity tag stays as it is:
   * its tag names a version, and not the bytes of a form.
   */
  private static byte[] packedIfLarge(HttpServerRequest request, Reply reply, byte[] bytes) {
    if (bytes.length <= SMALL || reply.tag() != null) {
      return bytes;
    }
    request.response().putHeader("Vary", "Accept-Encoding");
    if (!Gzip.isAccepted(request.getHeader("Accept-Encoding"))) {
      return bytes;
    }
    request.response().putHeader(CONTENT_ENCODING, Gzip.CODING);
    return Gzip.fast(bytes);
  }

  /**
   * Sends the response with a body, or without one; rejects the request if there is no memory for
   * it.
   */
  void end(HttpServerRequest request, @Nullable Buffer body) {
    int bytes = body == null ? 0 : body.length();
    if (bytes > SMALL && connections.unsentBytes() + bytes > MAX_UNSENT_BYTES) {
      refusals.refused(Reason.MEMORY);
      MultiMap headers = request.response().headers();
      List.of("Set-Cookie", "ETag", "Content-Length", CONTENT_ENCODING).forEach(headers::remove);
      refuse(request, Problem.Kind.UNAVAILABLE.with("too many answers are waiting to be read"));
      return;
    }
    Connection connection = connectionOf(request);
    if (connection == null) {
      request.response().reset();
      return;
    }
    long number = connections.sending(connection, bytes, now.getAsLong());
    Future<Void> ended = body == null ? request.response().end() : request.response().end(body);
    Future<Void> unused =
        ended.onComplete(written -> afterItsBody(request, () -> sent(request, connection, number)));
  }

  /**
   * Runs the action once the request body has arrived completely. Until then, the deadline of the
   * answer applies to the rest of the body.
   */
  private static void afterItsBody(HttpServerRequest request, Runnable sent) {
    if (request.isEnded()) {
      sent.run();
    } else {
      HttpServerRequest unused = request.endHandler(read -> sent.run());
    }
  }

  private void sent(HttpServerRequest request, Connection connection, long number) {
    connections.sent(connection, number, now.getAsLong());
    if (CLOSE.equals(request.response().headers().get(CONNECTION))) {
      Future<Void> unused = request.connection().close();
    }
  }

  /** Rejects a request and closes its connection. */
  void refuseAndClose(HttpServerRequest request, Problem problem) {
    request.response().putHeader(CONNECTION, CLOSE);
    refuse(request, problem);
  }

  /** Runs an action on the connection of a request, with the time; not if it is closed. */
  void onConnection(HttpServerRequest request, ObjLongConsumer<Connection> action) {
    Connection connection = connectionOf(request);
    if (connection != null) {
      action.accept(connection, now.getAsLong());
    }
  }

  /** The connection of a request; null if it is closed. */
  @Nullable Connection connectionOf(HttpServerRequest request) {
    SocketAddress from = request.connection().remoteAddress();
    return from == null ? null : connections.find(from.hostAddress(), from.port());
  }

  /**
   * Rejects a request. The rest of the request is read and discarded, so that the answer arrives.
   */
  void refuse(HttpServerRequest request, Problem problem) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      response.reset();
      return;
    }
    response.setStatusCode(problem.status()).putHeader(CONTENT_TYPE, Problem.MEDIA_TYPE);
    putTime(response);
    if (problem.status() == Problem.Kind.UNAUTHENTICATED.status()) {
      response.putHeader("WWW-Authenticate", "Bearer realm=\"millrace\"");
    }
    if (problem.status() == Problem.Kind.UNAVAILABLE.status()) {
      response.putHeader("Retry-After", "1");
    }
    end(request, Buffer.buffer(codec.encode(problem)));
  }
}
