package io.millrace.scripts.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.NotAllowedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asks a server that answers as it was told to. */
@Timeout(60)
class ApiClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private record Named(String name) {}

  private final LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final List<String> matched = new CopyOnWriteArrayList<>();
  private final Map<String, String> headers = new ConcurrentHashMap<>();
  private HttpServer server;
  private int status = 200;
  private String answer = "{\"name\":\"é\"}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + exchange.getRequestHeaders().getFirst("Content-Type")
                  + " "
                  + body);
          matched.add(String.valueOf(exchange.getRequestHeaders().getFirst("If-Match")));
          headers.forEach(exchange.getResponseHeaders()::add);
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void answerIsTheTextAndTheRecord() throws Exception {
    Answer<Named> answered = client("secret").get(ApiPath.of("jobs"), Named.class);

    assertThat(answered).isEqualTo(new Answer<>("{\"name\":\"é\"}", new Named("é")));
    assertThat(asked.take()).isEqualTo("GET /api/v1/jobs Bearer secret null ");
  }

  @Test
  void answerSaysItsVersionAndTheTrackersTimeAndAChangeIsOfThatVersion() throws Exception {
    headers.put("ETag", "\"7.1.x\"");
    headers.put("Millrace-Time", "1000");

    Answer<Named> answered = client(null).get(ApiPath.of("jobs"), Named.class);

    assertThat(answered.tag()).isEqualTo("\"7.1.x\"");
    assertThat(answered.time()).isEqualTo(Instant.ofEpochSecond(1));
    headers.put("Millrace-Time", "now");
    assertThat(client(null).get(ApiPath.of("jobs"), Named.class).time()).isNull();
    assertThat(matched).hasSize(2).containsOnly("null");
    client(null).putIfMatch(ApiPath.of("jobs", "g", "t"), "\"7.1.x\"", new Named("a"), Named.class);
    client(null).postIfMatch(ApiPath.of("jobs", "g", "t", "cancel"), "\"7.1.x\"", Named.class);
    assertThat(matched).hasSize(4).endsWith("\"7.1.x\"", "\"7.1.x\"");
  }

  @Test
  void whatIsNoTrackerDoesNotSayThatSomethingIsNotThere() {
    status = 404;
    answer = "<html>no such page</html>";

    assertThatThrownBy(() -> client("secret").get(ApiPath.of("jobs"), Named.class))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessage(url() + " answered 404");
  }

  @Test
  void changesCarryTheirBody() throws Exception {
    client(null).post(ApiPath.of("jobs"), new Named("ß"), Named.class);
    assertThat(asked.take()).isEqualTo("POST /api/v1/jobs null application/json {\"name\":\"ß\"}");

    client(null).post(ApiPath.of("jobs", "g", "t", "resume"), null, Named.class);
    assertThat(asked.take()).isEqualTo("POST /api/v1/jobs/g/t/resume null null ");

    status = 204;
    answer = "";
    client(null).delete(ApiPath.of("tokens", "bob"));
    assertThat(asked.take()).isEqualTo("DELETE /api/v1/tokens/bob null null ");
  }

  @Test
  void pathsHoldWhateverIdsHold() throws Exception {
    ApiPath path = ApiPath.of("jobs", "a b", "x/y?z=%+ü").with("after", "&=").with("limit", null);

    assertThat(path).hasToString("/api/v1/jobs/a%20b/x%2Fy%3Fz%3D%25%2B%C3%BC?after=%26%3D");
    client(null).get(path.with("limit", 5), Named.class);
    assertThat(asked.take())
        .contains("/api/v1/jobs/a%20b/x%2Fy%3Fz%3D%25%2B%C3%BC?after=%26%3D&limit=5 ");
  }

  @ParameterizedTest
  @CsvSource({
    "400, io.millrace.scripts.BadInputException",
    "401, io.millrace.scripts.NotAllowedException",
    "403, io.millrace.scripts.NotAllowedException",
    "404, io.millrace.scripts.api.NotFoundException",
    "409, io.millrace.scripts.api.ConflictException",
    "412, io.millrace.scripts.api.PreconditionFailedException",
    "413, io.millrace.scripts.BadInputException",
    "415, io.millrace.scripts.BadInputException",
    "422, io.millrace.scripts.BadInputException"
  })
  void refusalIsTheDetailOfTheProblem(int answeredStatus, Class<? extends Exception> type) {
    status = answeredStatus;
    answer = problem("the limit is 7");

    assertThatThrownBy(() -> client("secret").get(ApiPath.of("jobs"), Named.class))
        .isExactlyInstanceOf(type)
        .hasMessage("the limit is 7");
  }

  @Test
  void failureOfTheTrackerSaysWhoseItIs() {
    status = 503;
    answer = problem("no database");

    assertThatThrownBy(() -> client("secret").get(ApiPath.of("jobs"), Named.class))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessage("The title: no database");
  }

  @Test
  void requestWithoutATokenSaysWhereOneComesFrom() {
    status = 401;
    answer = problem("send a header");

    assertThatThrownBy(() -> client(null).get(ApiPath.of("jobs"), Named.class))
        .isExactlyInstanceOf(NotAllowedException.class)
        .hasMessageContainingAll("MILLRACE_OPERATOR_TOKEN", "--token-file");
  }

  @Test
  void whatIsNoTrackerIsSaidToAnswer() {
    status = 502;
    answer = "<html>bad gateway</html>";
    assertThatThrownBy(() -> client("secret").get(ApiPath.of("jobs"), Named.class))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessage(url() + " answered 502");

    status = 200;
    assertThatThrownBy(() -> client("secret").get(ApiPath.of("jobs"), Named.class))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessageStartingWith(
            url() + " returned an answer that this version does not understand: ");
  }

  @Test
  void healthIsAnAnswerAlsoWhenItIsBad() throws Exception {
    status = 503;
    assertThat(client(null).health(ApiPath.outside("/health"), Named.class).value())
        .isEqualTo(new Named("é"));
    assertThat(asked.take()).startsWith("GET /health ");

    answer = problem("too many connections");
    assertThatThrownBy(() -> client(null).health(ApiPath.outside("/health"), Named.class))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessage("The title: too many connections");
  }

  @Test
  void silenceSaysWhereNobodyAnswers() throws IOException {
    server.stop(0);

    assertThatThrownBy(() -> client("secret").get(ApiPath.of("jobs"), Named.class))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessageStartingWith("no tracker answers at " + url() + ": ");
    ApiClient lost = ApiClient.of(ApiUrl.parse("http://nobody.invalid:1"), null, null, PATIENCE);
    assertThatThrownBy(() -> lost.get(ApiPath.of("jobs"), Named.class))
        .hasMessageStartingWith("no tracker answers at http://nobody.invalid:1: ");
  }

  @Test
  void changeThatIsNotAnsweredMayHaveBeenMade() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ApiClient client =
          ApiClient.of(
              ApiUrl.parse("http://127.0.0.1:" + mute.getLocalPort()),
              null,
              null,
              Duration.ofMillis(100));

      assertThatThrownBy(() -> client.post(ApiPath.of("jobs"), null, Named.class))
          .isExactlyInstanceOf(CommandFailedException.class)
          .hasMessageContainingAll("within 100 ms", "may have been performed nevertheless");
      assertThatThrownBy(() -> client.get(ApiPath.of("jobs"), Named.class))
          .hasMessageContaining("within 100 ms")
          .hasMessageNotContaining("may have been performed");
    }
  }

  @Test
  void authoritiesAreReadFromAFileThatHoldsSome() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    Path wrong =
        Files.writeString(
            directory.resolve("wrong.pem"),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    for (Path file : new Path[] {empty, wrong}) {
      assertThatThrownBy(() -> ApiClient.of(ApiUrl.parse(url()), null, file, PATIENCE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(file.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://h:1/, http://h:1",
    "https://h, https://h",
    "http://[::1]:8081, http://[::1]:8081",
    "https://proxy/millrace/, https://proxy/millrace"
  })
  void urlsLoseTheirLastSlash(String text, String base) {
    assertThat(ApiUrl.parse(text)).hasToString(base);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:8081",
    "ftp://h",
    "http://",
    "http:///x",
    "http://h h",
    "'http://u:p@h'",
    "http://h?a=b"
  })
  void whatIsNoUrlIsRefusedByName(String text) {
    assertThatThrownBy(() -> ApiUrl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  private String problem(String detail) {
    return "{\"type\":\"urn:x\",\"title\":\"The title\",\"status\":%d,\"detail\":\"%s\"}"
        .formatted(status, detail);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private ApiClient client(String token) throws IOException {
    return ApiClient.of(ApiUrl.parse(url()), token, null, PATIENCE);
  }
}
