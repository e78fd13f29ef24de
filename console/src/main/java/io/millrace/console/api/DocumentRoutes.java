package io.millrace.console.api;

import io.millrace.console.http.Call;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The route of the OpenAPI document. A test compares the document with the routes. */
public final class DocumentRoutes {
  /** The name of the document's resource. */
  public static final String RESOURCE = "/io/millrace/console/openapi.json";

  public List<Route> routes() {
    return List.of(
        Resource.of("API", Paths.V1 + "/openapi.json")
            .get("", "openApi", "This document")
            .within(Scope.none("it is the same for all"))
            .answersText(this::document));
  }

  private Object document(Call call) {
    try (InputStream document =
        Objects.requireNonNull(DocumentRoutes.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      return Reply.text(Reply.JSON, new String(document.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
