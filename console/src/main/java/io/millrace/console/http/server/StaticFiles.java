package io.millrace.console.http.server;

import io.millrace.console.http.StaticFile;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * Serves files from memory to all callers. Browsers revalidate a file on each use and receive it
 * only if it has changed, so an upgraded tracker never shows old pages. The static handler of
 * Vert.x Web is not used, because it unpacks files of archives to a directory.
 */
final class StaticFiles {
  private static final int NOT_MODIFIED = 304;

  /** A year, which is as long as caches go. */
  private static final String FOR_EVER = "public, max-age=31536000, immutable";

  private StaticFiles() {}

  static void add(Router router, List<StaticFile> files, Sender sender) {
    for (StaticFile file : files) {
      router
          .route(file.path())
          .method(HttpMethod.GET)
          .method(HttpMethod.HEAD)
          .handler(context -> serve(file, context, sender));
    }
  }

  private static void serve(StaticFile file, RoutingContext context, Sender sender) {
    HttpServerRequest request = context.request();
    HttpServerResponse response = context.response();
    StaticFile.Form form = file.formFor(request.getHeader("Accept-Encoding"));
    response
        .putHeader("Cache-Control", file.isForEver() ? FOR_EVER : "no-cache")
        .putHeader("Vary", "Accept-Encoding")
        .putHeader("ETag", form.etag());
    if (form.isMeantBy(request.getHeader("If-None-Match"))) {
      response.setStatusCode(NOT_MODIFIED);
      sender.end(request, null);
      return;
    }
    response
        .putHeader("Content-Type", file.mediaType())
        .putHeader("Content-Length", String.valueOf(form.size()));
    if (form.coding() != null) {
      response.putHeader("Content-Encoding", form.coding());
    }
    sender.end(request, request.method().equals(HttpMethod.HEAD) ? null : form.content());
  }
}
