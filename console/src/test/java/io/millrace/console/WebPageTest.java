package io.millrace.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.http.Problem;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The console's pages over HTTP: to anybody, from memory, and only once if they stay the same. */
class WebPageTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static RunningConsole console;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static HttpResponse<String> ask(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(console.url() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void thePageIsAtTheRoot() throws Exception {
    HttpResponse<String> page = ask("GET", "/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
    assertThat(header(page, "Content-Security-Policy")).contains("default-src 'self'");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.body()).contains("<html");
  }

  @Test
  void whatItNamesIsThere() throws Exception {
    String page = ask("GET", "/").body();
    assertThat(page).containsPattern("\"/console/[0-9a-f]{16}/lib/lit-html/lit-html.js\"");
    for (String name :
        Arrays.stream(page.split("[\"']")).filter(it -> it.startsWith("/console/")).toList()) {
      HttpResponse<String> file = ask("GET", name);
      assertThat(file.statusCode()).as(name).isEqualTo(200);
      assertThat(file.body()).as(name).isNotEmpty();
      assertThat(header(file, "Content-Type"))
          .as(name)
          .matches("text/(css|javascript); charset=utf-8|image/svg\\+xml");
      assertThat(header(file, "Cache-Control"))
          .as(name)
          .isEqualTo("public, max-age=31536000, immutable");
    }
  }

  @Test
  void whoHasItAlreadyIsToldSo() throws Exception {
    String etag = header(ask("GET", "/"), "ETag");
    assertThat(etag).matches("\"[0-9a-f]{64}\"");
    for (String known : new String[] {etag, "W/" + etag, "\"other\", " + etag, "*"}) {
      HttpResponse<String> again = ask("GET", "/", "If-None-Match", known);
      assertThat(again.statusCode()).as(known).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(header(again, "ETag")).isEqualTo(etag);
    }
    assertThat(ask("GET", "/", "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
  }

  private static HttpResponse<byte[]> packed(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(console.url() + path))
            .header("Accept-Encoding", "gzip, deflate, br");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String unpacked(HttpResponse<byte[]> response) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static String pathOfPages() throws Exception {
    return Arrays.stream(ask("GET", "/").body().split("[\"']"))
        .filter(name -> name.endsWith("/pages.js"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void fileIsCompressedForWhoTakesItSo() throws Exception {
    String path = pathOfPages();
    HttpResponse<String> plain = ask("GET", path);
    HttpResponse<byte[]> packed = packed(path);

    assertThat(header(plain, "Content-Encoding")).isEmpty();
    assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
    assertThat(unpacked(packed)).isEqualTo(plain.body());
    assertThat(packed.body()).hasSizeLessThan(plain.body().length() / 2);
    assertThat(header(packed, "Content-Length")).isEqualTo("" + packed.body().length);
    assertThat(header(plain, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(header(packed, "Vary")).isEqualTo("Accept-Encoding");
    String etag = header(packed, "ETag");
    assertThat(etag).matches("\"[0-9a-f]{64}\"").isNotEqualTo(header(plain, "ETag"));
    assertThat(packed(path, "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(packed(path, "If-None-Match", header(plain, "ETag")).statusCode()).isEqualTo(200);
  }

  @Test
  void largeAnswerIsCompressedForWhoTakesItSo() throws Exception {
    String[] token = {"Authorization", "Bearer " + console.adminToken()};
    HttpResponse<byte[]> large = packed("/api/v1/openapi.json", token);
    assertThat(header(large, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(large, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(unpacked(large)).isEqualTo(ask("GET", "/api/v1/openapi.json", token).body());

    HttpResponse<byte[]> small = packed("/api/v1/session", token);
    assertThat(small.statusCode()).isEqualTo(200);
    assertThat(header(small, "Content-Encoding")).isEmpty();
  }

  @Test
  void aHeadIsTheSameWithoutTheContent() throws Exception {
    HttpResponse<String> page = ask("GET", "/");
    HttpResponse<String> head = ask("HEAD", "/");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    for (String name : new String[] {"Content-Type", "Content-Length", "ETag", "Cache-Control"}) {
      assertThat(header(head, name)).as(name).isNotEmpty().isEqualTo(header(page, name));
    }
  }

  @Test
  void whatItDoesNotNameIsNotServed() throws Exception {
    for (String path :
        new String[] {
          "/console/index.html",
          "/console/",
          "/console/none.js",
          "/console/console.js",
          "/console/openapi.json",
          "/console/../openapi.json",
          "/console/%2e%2e/openapi.json",
          "/console/lib/chart.umd.min.js.map",
          "/console/lib/lit-html/package.json",
          "/favicon.ico"
        }) {
      HttpResponse<String> refused = ask("GET", path);
      assertThat(refused.statusCode()).as(path).isEqualTo(404);
      assertThat(header(refused, "Content-Type")).isEqualTo(Problem.MEDIA_TYPE);
    }
    assertThat(ask("POST", "/").statusCode()).isEqualTo(405);
  }
}
