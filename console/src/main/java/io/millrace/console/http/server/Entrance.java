package io.millrace.console.http.server;

import io.millrace.console.http.Param;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Route;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Checks every request before its route is looked up. Requests rejected here cause no lookup.
 * Confined to the server's event loop.
 */
final class Entrance implements Handler<HttpServerRequest> {
  static final String HEALTH = "/health";

  private static final int URI_TOO_LONG = 414;
  private static final int HEAD_TOO_LARGE = 431;

  private final ServerParts parts;
  private final Sender sender;
  private final Handler<HttpServerRequest> routes;

  Entrance(ServerParts parts, Handler<HttpServerRequest> routes) {
    this.parts = parts;
    this.sender = parts.sender();
    this.routes = routes;
  }

  /**
   * Handles a request. If the client has not received its previous answers, the request waits until
   * it has.
   */
  @Override
  public void handle(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.writeQueueFull()) {
      request.pause();
      response.drainHandler(
          drained -> {
            response.drainHandler(null);
            enter(request);
            request.resume();
          });
    } else {
      enter(request);
    }
  }

  private void enter(HttpServerRequest request) {
    Sender.putSecurityHeaders(request.response());
    Connection connection = sender.connectionOf(request);
    if (connection == null) {
      request.response().reset();
      return;
    }
    parts.connections().received(connection, bodyBytes(request), parts.now().getAsLong());
    List<String> host = request.headers().getAll("Host");
    if (host.size() > 1 || (host.isEmpty() && request.version() != HttpVersion.HTTP_1_0)) {
      sender.refuseAndClose(
          request,
          Kind.BAD_REQUEST.with("a request must have exactly one header Host, not " + host.size()));
    } else if (!host.isEmpty() && !parts.hosts().admits(host.get(0))) {
      sender.refuseAndClose(
          request,
          Kind.FORBIDDEN.with(
              "this tracker does not accept the host name %s; add it to console.hosts if it is correct"
                  .formatted(Param.shown(host.get(0)))));
    } else if (connection.keptForHealth && !request.path().startsWith(HEALTH)) {
      sender.refuseAndClose(
          request,
          Kind.UNAVAILABLE.with("the limit of connections is reached (console.max-connections)"));
    } else if (!isDecodable(request.path())) {
      sender.refuse(request, Kind.BAD_REQUEST.with("the path is malformed"));
    } else {
      routes.handle(request);
    }
  }

  /** Rejects a malformed request and closes the connection. */
  void refuseMalformed(HttpServerRequest request) {
    Sender.putSecurityHeaders(request.response());
    String why = String.valueOf(request.decoderResult().cause());
    int status =
        why.contains("TooLongHttpLine")
            ? URI_TOO_LONG
            : why.contains("TooLongHttpHeader") ? HEAD_TOO_LARGE : Kind.BAD_REQUEST.status();
    Problem problem = Kind.BAD_REQUEST.with("the request is malformed");
    sender.refuseAndClose(
        request,
        new Problem(problem.type(), problem.title(), status, problem.detail(), null, null, null));
  }

  private static boolean isDecodable(String path) {
    if (!path.startsWith("/")) {
      return false;
    }
    try {
      String unused = URLDecoder.decode(path, StandardCharsets.UTF_8);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The length of the body that the request announces, at most {@link Route#MAX_BODY_BYTES}; that
   * maximum if the length is unknown.
   */
  static long bodyBytes(HttpServerRequest request) {
    String length = request.getHeader("Content-Length");
    if (length == null) {
      return request.getHeader("Transfer-Encoding") == null ? 0 : Route.MAX_BODY_BYTES;
    }
    try {
      return Math.min(Long.parseLong(length.strip()), Route.MAX_BODY_BYTES);
    } catch (NumberFormatException e) {
      return Route.MAX_BODY_BYTES;
    }
  }
}
