package io.millrace.console;

import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.http.HttpLimits;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tracker with a console, and a program that asks it. */
public final class RunningConsole implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What is shown is counted anew before a test has looked twice. */
  private static final ServiceConfig.Reports REPORTS =
      new ServiceConfig.Reports(Duration.ofMillis(200), Duration.ofMillis(200));

  private final TestDatabase database;
  private final TrackerServer tracker;
  private final HttpClient http = HttpClient.newHttpClient();
  private final String adminToken;

  private final Runnable closeDatabase;

  private RunningConsole(
      TestDatabase database, TrackerServer tracker, String adminToken, Runnable closeDatabase) {
    this.database = database;
    this.tracker = tracker;
    this.adminToken = adminToken;
    this.closeDatabase = closeDatabase;
  }

  /** Starts a tracker over a new database, which is dropped at the end. */
  public static RunningConsole over(TestDatabase database) {
    return within(database, HttpLimits.DEFAULT);
  }

  /** Starts one with other bounds. */
  public static RunningConsole within(TestDatabase database, HttpLimits limits) {
    return with(database, ConsoleConfig.onLoopback(0).within(limits));
  }

  /** Starts one with this configuration. */
  public static RunningConsole with(TestDatabase database, ConsoleConfig config) {
    TrackerServer tracker = started(database, config);
    return new RunningConsole(
        database, tracker, tracker.firstOperatorToken().orElseThrow(), database::close);
  }

  /** Starts another tracker over the database of this one, which stays this one's to close. */
  public RunningConsole another() {
    return new RunningConsole(
        database, started(database, ConsoleConfig.onLoopback(0)), adminToken, () -> {});
  }

  private static TrackerServer started(TestDatabase database, ConsoleConfig config) {
    TrackerServer tracker =
        TrackerServer.create(
            new TrackerServerConfig(
                    JobTrackerConfig.local(0, database.config())
                        .serving(ServiceConfig.DEFAULT.reporting(REPORTS)))
                .withConsole(config));
    tracker.start();
    return tracker;
  }

  public JobTracker tracker() {
    return tracker.tracker();
  }

  /** Where operators reach it. */
  public String url() {
    return tracker.consoleUrl().orElseThrow();
  }

  public TestDatabase database() {
    return database;
  }

  /** The first token of the store, an administrator's. */
  public String adminToken() {
    return adminToken;
  }

  /** Issues a token of this role. */
  public String token(Role role) throws IOException, InterruptedException {
    String name = role.name().toLowerCase(java.util.Locale.ROOT) + "-" + System.nanoTime();
    String body = "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role);
    return send(request("POST", "/api/v1/tokens").token(adminToken).json(body))
        .as(IssuedToken.class)
        .token();
  }

  /** Begins a request of the administrator's. */
  public Asked ask(String method, String path) {
    return request(method, path).token(adminToken);
  }

  /** Begins a request of nobody's. */
  public Asked request(String method, String path) {
    return new Asked(method, path);
  }

  /** A request as it is made up. */
  public final class Asked {
    private final String method;
    private final String path;
    private final List<String> headers = new ArrayList<>();
    private HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.noBody();

    private Asked(String method, String path) {
      this.method = method;
      this.path = path;
    }

    public Asked token(String token) {
      return header("Authorization", "Bearer " + token);
    }

    public Asked header(String name, String value) {
      headers.add(name);
      headers.add(value);
      return this;
    }

    public Asked json(String json) {
      return body("application/json", HttpRequest.BodyPublishers.ofString(json));
    }

    public Asked body(String mediaType, HttpRequest.BodyPublisher content) {
      body = content;
      return header("Content-Type", mediaType);
    }

    public Answered send() throws IOException, InterruptedException {
      return RunningConsole.this.send(this);
    }
  }

  /** An answer. */
  public record Answered(
      int status, String mediaType, String body, @Nullable String cookie, @Nullable String tag) {

    /** Its body as a record. */
    public <T> T as(Class<T> type) {
      return new JsonCodec().decodeText(body, type);
    }
  }

  public Answered send(Asked asked) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(tracker.consoleUrl().orElseThrow() + asked.path))
            .timeout(PATIENCE)
            .method(asked.method, asked.body);
    if (!asked.headers.isEmpty()) {
      request.headers(asked.headers.toArray(String[]::new));
    }
    HttpResponse<String> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answered(
        response.statusCode(),
        response.headers().firstValue("Content-Type").orElse(""),
        response.body(),
        response
            .headers()
            .firstValue("Set-Cookie")
            .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
            .orElse(null),
        response.headers().firstValue("ETag").orElse(null));
  }

  @Override
  public void close() {
    tracker.close();
    closeDatabase.run();
  }
}
