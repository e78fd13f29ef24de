package io.millrace.console.http.server;

import io.millrace.console.http.Call;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.HostRules;
import io.millrace.console.http.Param;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Route;
import io.millrace.console.http.Route.Trait;
import io.millrace.internal.codec.JsonCodec;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A received request to a route. It is parsed strictly: an unknown parameter is rejected by name.
 */
record Requests(
    Route route, JsonCodec codec, RoutingContext context, Caller caller, Credentials credentials) {
  /** The base name of the session cookie. */
  private static final String SESSION_COOKIE = "millrace_session";

  private static final String BEARER = "bearer ";

  static Credentials credentials(HttpServerRequest request, HostRules hosts) {
    String authorization = request.getHeader("Authorization");
    String name = cookieName(request);
    return new Credentials(
        authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)
            ? authorization.substring(BEARER.length()).trim()
            : null,
        cookie(request, name),
        cookie(request, name + Credentials.ATTEMPT),
        request.getHeader("X-CSRF-Token"),
        isOfAnotherSite(request, hosts),
        request.remoteAddress() == null ? "" : request.remoteAddress().hostAddress(),
        name);
  }

  private static @Nullable String cookie(HttpServerRequest request, String name) {
    Cookie cookie = request.getCookie(name);
    return cookie == null ? null : cookie.getValue();
  }

  /**
   * Whether a page of another site made the request. Browsers that support Sec-Fetch-Site send it
   * with each request; they send Origin with changes.
   */
  private static boolean isOfAnotherSite(HttpServerRequest request, HostRules hosts) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("none")) {
      return !site.equals("same-origin");
    }
    return hosts.isForeign(request.getHeader("Origin"), request.getHeader("Host"));
  }

  /**
   * The name of the session cookie. Cookies are not separated by port, so the name contains the
   * port that the browser addresses: trackers on one machine do not overwrite each other's cookies,
   * and trackers behind one address share theirs.
   */
  private static String cookieName(HttpServerRequest request) {
    String host = request.getHeader("Host");
    String port = host == null ? "" : HostRules.portOf(host);
    String name = port.isEmpty() ? SESSION_COOKIE : SESSION_COOKIE + "_" + port;
    return request.isSSL() ? "__Host-" + name : name;
  }

  /** Parses the request; throws a problem if it is not valid, or if its caller may not make it. */
  Call read() {
    Call call =
        new Call(
            caller,
            values(),
            decodedBody(),
            credentials,
            context.request()::getHeader,
            context.response()::closed);
    return route.scope().pass(call, route.role());
  }

  /** The body as text; null if there is none. A charset in the header has no effect. */
  @Nullable String bodyText() {
    Buffer body = context.body().buffer();
    return body == null || body.length() == 0 ? null : body.toString(StandardCharsets.UTF_8);
  }

  private Map<String, Object> values() {
    MultiMap query = context.queryParams();
    refuseUnknown(query);
    Map<String, Object> values = new HashMap<>();
    for (Param<?> param : route.params()) {
      Object value = value(param, query);
      if (value != null) {
        values.put(param.name(), value);
      }
    }
    return values;
  }

  private void refuseUnknown(MultiMap query) {
    if (route.is(Trait.FOREIGN_QUERY)) {
      return;
    }
    List<String> known =
        route.params().stream().filter(param -> !param.inPath()).map(Param::name).toList();
    for (String name : new TreeSet<>(query.names())) {
      if (!known.contains(name)) {
        throw Problem.Kind.BAD_REQUEST.because(
            "the query parameter "
                + Param.shown(name)
                + " is unknown"
                + (known.isEmpty() ? "" : "; known parameters: " + String.join(", ", known)));
      }
      if (query.getAll(name).size() > 1) {
        throw Problem.Kind.BAD_REQUEST.because(
            "the query parameter " + Param.shown(name) + " is repeated");
      }
    }
  }

  private <T> @Nullable T value(Param<T> param, MultiMap query) {
    String text = param.inPath() ? context.pathParam(param.name()) : query.get(param.name());
    return text == null ? param.fallback() : param.read(text);
  }

  private @Nullable Object decodedBody() {
    String text = bodyText();
    if (route.body() == null) {
      if (text != null) {
        throw Problem.Kind.BAD_REQUEST.because(route.operation() + " does not accept a body");
      }
      return null;
    }
    if (text == null && route.is(Trait.OPTIONAL_BODY)) {
      return codec.decodeText("{}", route.body());
    }
    String mediaType = context.request().getHeader("Content-Type");
    if (mediaType == null) {
      throw Problem.Kind.MEDIA_TYPE.because(
          "the request has no Content-Type; it must be " + Reply.JSON);
    }
    if (!mediaType.toLowerCase(Locale.ROOT).split(";", 2)[0].trim().equals(Reply.JSON)) {
      throw Problem.Kind.MEDIA_TYPE.because(
          "the Content-Type is " + Param.shown(mediaType) + ", not " + Reply.JSON);
    }
    if (text == null) {
      throw Problem.Kind.BAD_REQUEST.because(
          "the body is empty; expected " + route.body().getSimpleName() + " as JSON");
    }
    return codec.decodeText(text, route.body());
  }
}
