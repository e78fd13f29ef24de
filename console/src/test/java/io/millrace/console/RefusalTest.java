package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.RunningConsole.Asked;
import io.millrace.console.api.operator.SessionRoutes.SignedIn;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the OpenAPI document names refuses what is not in order, each time with a problem
 * document. A new route is tested by being in the document, which another test sees to.
 */
class RefusalTest {
  private static final String JSON = "application/json";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final byte[] TOO_MUCH = new byte[20 << 20];

  /** It sends many wrong tokens, whose delay is no matter of this test. */
  private static final HttpLimits QUICK_TO_REFUSE =
      HttpLimits.DEFAULT.withGuessDelay(Duration.ofMillis(1));

  private static RunningConsole console;
  private static JsonNode document;
  private static String viewer;
  private static String operator;
  private static Answered session;

  @BeforeAll
  static void open() throws IOException, InterruptedException {
    console = RunningConsole.within(TestDatabase.h2(), QUICK_TO_REFUSE);
    document = MAPPER.readTree(console.ask("GET", "/api/v1/openapi.json").send().body());
    viewer = console.token(Role.VIEW);
    operator = console.token(Role.OPERATE);
    session =
        console
            .request("POST", "/api/v1/session")
            .json("{\"token\":\"" + console.adminToken() + "\"}")
            .send();
  }

  @AfterAll
  static void close() {
    console.close();
  }

  /** A method of a path of the document. */
  record Operation(String method, String path, JsonNode described) {

    /** The path with something in each place that is well formed and does not exist. */
    String url() {
      String url = path;
      for (JsonNode parameter : described.path("parameters")) {
        if (parameter.path("in").asText().equals("path")) {
          boolean id = parameter.path("schema").path("format").asText().equals("id");
          url = url.replace("{" + parameter.path("name").asText() + "}", id ? "42" : "nobody");
        }
      }
      return url;
    }

    boolean hasPathParameter() {
      return path.contains("{");
    }

    Role role() {
      return Role.valueOf(described.path("x-role").asText());
    }

    boolean isGuarded() {
      return described.has("x-role");
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        operations.add(
            new Operation(
                method.getKey().toUpperCase(java.util.Locale.ROOT),
                path.getKey(),
                method.getValue()));
      }
    }
    return operations;
  }

  static Stream<Operation> guarded() {
    return operations().stream().filter(Operation::isGuarded);
  }

  @Test
  void nothingButHealthAndSigningInIsOpen() {
    assertThat(operations())
        .filteredOn(operation -> !operation.isGuarded())
        .extracting(Operation::toString)
        .containsExactlyInAnyOrder(
            "POST /api/v1/session",
            "GET /api/v1/session/provider",
            "GET /api/v1/session/provider/begin",
            "GET /api/v1/session/provider/callback",
            "GET /health",
            "GET /health/ready",
            "GET /health/live");
  }

  @ParameterizedTest
  @MethodSource("guarded")
  void noToken(Operation operation) throws Exception {
    isRefused(console.request(operation.method(), operation.url()), 401, "Authorization");
    isRefused(
        console.request(operation.method(), operation.url()).token("mrt_wrong"), 401, "token");
  }

  @ParameterizedTest
  @MethodSource("guarded")
  void aTokenOfTooLowARole(Operation operation) throws Exception {
    for (Role role : Role.values()) {
      if (!role.allows(operation.role())) {
        String token = role == Role.VIEW ? viewer : operator;
        isRefused(
            wellFormed(
                operation, console.request(operation.method(), operation.url()).token(token)),
            403,
            operation.role().name());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("guarded")
  void aFormOfAnotherSite(Operation operation) throws Exception {
    isRefused(
        withSession(operation)
            .header("Sec-Fetch-Site", "cross-site")
            .body("application/x-www-form-urlencoded", BodyPublishers.ofString("a=b")),
        403,
        "another site");
  }

  @ParameterizedTest
  @MethodSource("guarded")
  void aChangeWithinASessionWithoutItsSecondSecret(Operation operation) throws Exception {
    if (!operation.method().equals("GET")) {
      isRefused(wellFormed(operation, withSession(operation)), 403, "X-CSRF-Token");
      isRefused(
          wellFormed(operation, withSession(operation).header("X-CSRF-Token", "guessed")),
          403,
          "X-CSRF-Token");
    }
  }

  @ParameterizedTest
  @MethodSource("guarded")
  void aPageOfABillion(Operation operation) throws Exception {
    Asked asked = console.ask(operation.method(), operation.url() + "?limit=1000000000");
    isRefused(wellFormed(operation, asked), 400, "limit");
  }

  /** That a job is not known is an answer of its status, as of that which a client asks for. */
  @ParameterizedTest
  @MethodSource("guarded")
  void whatDoesNotExist(Operation operation) throws Exception {
    if (operation.hasPathParameter() && !operation.path().endsWith("/status")) {
      Asked asked = console.ask(operation.method(), operation.url());
      isRefused(wellFormed(operation, asked), 404, "no");
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void malformedJson(Operation operation) throws Exception {
    isRefused(console.ask(operation.method(), operation.url()).json("{\"a\": [1,"), 400, "");
  }

  @ParameterizedTest
  @MethodSource("operations")
  void aBodyOfTwentyMegabytes(Operation operation) throws Exception {
    isRefused(
        console
            .ask(operation.method(), operation.url())
            .body(JSON, BodyPublishers.ofByteArray(TOO_MUCH)),
        413,
        "exceeds the limit");
  }

  @ParameterizedTest
  @MethodSource("guarded")
  void aBodyOfAnotherKind(Operation operation) throws Exception {
    if (operation.described().has("requestBody")) {
      isRefused(
          console
              .ask(operation.method(), operation.url())
              .body("text/plain", BodyPublishers.ofString("{}")),
          415,
          JSON);
    }
  }

  private static Asked withSession(Operation operation) {
    return console
        .request(operation.method(), operation.url())
        .header("Cookie", String.valueOf(session.cookie()));
  }

  private static void isRefused(Asked asked, int status, String why)
      throws IOException, InterruptedException {
    Answered answered = asked.send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    assertThat(answered.mediaType()).isEqualTo(Problem.MEDIA_TYPE);
    Problem problem = answered.as(Problem.class);
    assertThat(problem.status()).isEqualTo(status);
    assertThat(problem.detail()).contains(why).isNotBlank();
  }

  /** Adds what the document asks of a body and a query, and no more. */
  private static Asked wellFormed(Operation operation, Asked asked) throws IOException {
    JsonNode body = operation.described().path("requestBody");
    if (body.isMissingNode()) {
      return asked;
    }
    JsonNode schema = body.path("content").path(JSON).path("schema");
    return asked.json(MAPPER.writeValueAsString(example(schema)));
  }

  private static JsonNode example(JsonNode schema) {
    if (schema.has("$ref")) {
      String name = schema.path("$ref").asText().replace("#/components/schemas/", "");
      return example(document.path("components").path("schemas").path(name));
    }
    if (schema.has("enum")) {
      return schema.path("enum").get(0);
    }
    return switch (schema.path("type").asText()) {
      case "object" -> {
        ObjectNode object = MAPPER.createObjectNode();
        schema
            .path("required")
            .forEach(
                name ->
                    object.set(
                        name.asText(), example(schema.path("properties").path(name.asText()))));
        yield object;
      }
      case "array" -> {
        ArrayNode array = MAPPER.createArrayNode();
        yield array.add(example(schema.path("items")));
      }
      case "integer", "number" -> MAPPER.getNodeFactory().numberNode(1);
      case "boolean" -> MAPPER.getNodeFactory().booleanNode(true);
      default ->
          MAPPER
              .getNodeFactory()
              .textNode(
                  switch (schema.path("format").asText()) {
                    case "date-time" -> "2030-01-01T00:00:00Z";
                    case "duration" -> "PT1S";
                    default -> "x";
                  });
    };
  }

  @Test
  void aSessionDoesWhatItsTokenMay() throws Exception {
    SignedIn signedIn = session.as(SignedIn.class);
    String cookie = String.valueOf(session.cookie());
    Asked issue =
        console
            .request("POST", "/api/v1/tokens")
            .header("Cookie", cookie)
            .header("X-CSRF-Token", String.valueOf(signedIn.csrfToken()))
            .json("{\"name\":\"by-session\",\"role\":\"VIEW\"}");
    assertThat(issue.send().status()).isEqualTo(201);
    Answered who = console.request("GET", "/api/v1/session").header("Cookie", cookie).send();
    assertThat(who.as(SignedIn.class).csrfToken()).isEqualTo(signedIn.csrfToken());
  }
}
