package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.DocumentRoutes;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The document that a tracker serves is the one that its routes make. When they have changed, run
 * this test with {@code -Dopenapi.write=true} to have it written.
 */
class OpenApiDocumentTest {

  @Test
  void theDocumentIsWhatTheRoutesSay() throws IOException {
    try (TestDatabase database = TestDatabase.h2()) {
      List<Route> routes = new IdleEngine(database.stores()).routes();
      String made = OpenApiDocument.of(routes);
      Path source = Path.of("src/main/resources" + DocumentRoutes.RESOURCE);
      if (Boolean.getBoolean("openapi.write")) {
        Files.createDirectories(source.getParent());
        Files.writeString(source, made);
      }
      assertThat(Files.readString(source)).isEqualTo(made);
      try (InputStream served = DocumentRoutes.class.getResourceAsStream(DocumentRoutes.RESOURCE)) {
        assertThat(served).isNotNull();
        assertThat(new String(served.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(made);
      }
    }
  }
}
