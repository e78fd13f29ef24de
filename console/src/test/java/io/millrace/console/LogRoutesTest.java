package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.console.api.history.LogRoutes.LogItem;
import io.millrace.console.api.history.LogRoutes.LogPage;
import io.millrace.console.api.operator.SessionRoutes.SignedIn;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Problem;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.store.JobLogStore;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class LogRoutesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final HttpLimits ASKED_AGAIN_SOON =
      new HttpLimits(
          500,
          500,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          Duration.ofMillis(200),
          HttpLimits.DEFAULT.guessDelay());

  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch partBegun = new CountDownLatch(1);
  private final CountDownLatch partRelease = new CountDownLatch(1);
  private volatile CompletableFuture<Long> begun = new CompletableFuture<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private RunningConsole console;
  private TaskTracker worker;
  private long execution;

  @BeforeEach
  void open() throws Exception {
    console = RunningConsole.within(TestDatabase.h2(), ASKED_AGAIN_SOON);
    worker =
        TaskTracker.builder()
            .trackers(console.tracker().address())
            .nodeGroup("orders")
            .runner(this::run)
            .handler("part", this::runPart)
            .build();
    worker.start();
    execution = begin("talkative");
  }

  /** Submits a job, and returns the id of its execution once that has begun. */
  private long begin(String task) throws Exception {
    begun = new CompletableFuture<>();
    assertThat(
            console
                .ask("POST", "/api/v1/jobs")
                .json("{\"nodeGroup\":\"orders\",\"taskId\":\"" + task + "\"}")
                .send()
                .status())
        .isEqualTo(201);
    return begun.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @AfterEach
  void close() {
    release.countDown();
    partRelease.countDown();
    worker.close();
    console.close();
  }

  private Result run(JobContext context) throws InterruptedException {
    context.logger().info("first of {}", context.taskId());
    context.logger().warn("second\nin two lines");
    begun.complete(context.executionId());
    release.await();
    if (context.taskId().equals("maps")) {
      context.map("part", List.of(Map.of()));
    }
    context.logger().info("third");
    return Result.success();
  }

  /** The part of a run that was split. */
  private Result runPart(JobContext context) throws InterruptedException {
    partBegun.countDown();
    partRelease.await();
    return Result.success();
  }

  private Queue<String> follow(String query, String lastEventId) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    console.url() + "/api/v1/executions/" + execution + "/log/stream" + query))
            .header("Authorization", "Bearer " + console.adminToken());
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    HttpResponse<Stream<String>> response =
        http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines()).join();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    Thread reader =
        new Thread(() -> response.body().filter(line -> !line.isEmpty()).forEach(lines::add));
    reader.setDaemon(true);
    reader.start();
    return lines;
  }

  private static List<String> ids(Queue<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("id: "))
        .map(line -> line.substring("id: ".length()))
        .toList();
  }

  private static boolean hasEnded(Queue<String> lines) {
    return lines.contains("event: end");
  }

  /** Lets the body end, and then as long ago that no stream waits for late lines any more. */
  private void endLongAgo() {
    release.countDown();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                console.database().count("jt_job_log") == 3
                    && console.database().count("jt_history") == 1);
    console.database().execute("UPDATE jt_history SET finished_at = 1");
  }

  @Test
  void linesArriveWhileTheBodyRunsAndTheStreamEndsWithIt() {
    Queue<String> lines = follow("", "");
    await().atMost(PATIENCE).until(() -> ids(lines).size() == 2);
    assertThat(release.getCount()).as("the body runs").isEqualTo(1);
    assertThat(lines)
        .contains("event: line")
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("data: {\"sequence\":1,")
                    .contains("\"level\":\"INFO\"")
                    .contains("first of talkative"))
        .anySatisfy(line -> assertThat(line).contains("second\\nin two lines"));
    assertThat(hasEnded(lines)).isFalse();

    release.countDown();

    await().atMost(PATIENCE).until(() -> hasEnded(lines));
    assertThat(ids(lines)).containsExactly("1", "2", "3", "3");
    assertThat(lines).anySatisfy(line -> assertThat(line).contains("third"));
    assertThat(lines).contains("data: {\"status\":\"SUCCEEDED\"}");
  }

  /** The run is in no table of executions, and not yet in the ledger. */
  @Test
  void logOfARunThatWasSplitIsThereWhileItsPartsRun() throws Exception {
    execution = begin("maps");
    Queue<String> before = follow("", "");
    await().atMost(PATIENCE).until(() -> ids(before).size() == 2);
    release.countDown();
    assertThat(partBegun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    Queue<String> after = follow("", "");
    await().atMost(PATIENCE).until(() -> ids(before).size() == 3 && ids(after).size() == 3);
    assertThat(hasEnded(before)).isFalse();
    assertThat(hasEnded(after)).isFalse();
    assertThat(page("").items()).extracting(LogItem::sequence).containsExactly(1, 2, 3);
    assertThat(new String(download(execution).body().readAllBytes(), StandardCharsets.UTF_8))
        .contains("first of maps", "third");

    partRelease.countDown();
    await().atMost(PATIENCE).until(() -> hasEnded(before) && hasEnded(after));
    assertThat(before).contains("data: {\"status\":\"SUCCEEDED\"}");
  }

  private RawConnection reader(String token) throws IOException {
    return readerWith("Authorization: Bearer " + token);
  }

  private RawConnection readerWith(String credentials) throws IOException {
    return new RawConnection(console)
        .say(
            "GET /api/v1/executions/%d/log/stream HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n"
                .formatted(execution, host(), credentials));
  }

  /** With the port, after which the cookie of a session is named. */
  private String host() {
    return URI.create(console.url()).getAuthority();
  }

  @Test
  void streamEndsWhenItsTokenIsRevoked() throws Exception {
    String name = "leaver";
    String token =
        console
            .ask("POST", "/api/v1/tokens")
            .json("{\"name\":\"leaver\",\"role\":\"VIEW\"}")
            .send()
            .as(IssuedToken.class)
            .token();
    try (RawConnection leaving = reader(token);
        RawConnection staying = reader(console.adminToken())) {
      assertThat(leaving.hear().status()).isEqualTo(200);
      assertThat(staying.hear().status()).isEqualTo(200);

      assertThat(leaving.streamUntil("first of talkative")).endsWith("first of talkative");

      assertThat(console.ask("DELETE", "/api/v1/tokens/" + name).send().status()).isEqualTo(204);

      assertThat(leaving.streamUntilItsEnd()).endsWith("\r\n0\r\n\r\n").doesNotContain("third");
      endLongAgo();
      assertThat(staying.streamUntilItsEnd()).contains("third");
    }
  }

  @Test
  void streamEndsWhenItsTokenExpires() throws Exception {
    String token =
        console
            .ask("POST", "/api/v1/tokens")
            .json("{\"name\":\"guest\",\"role\":\"VIEW\",\"expires\":\"PT1H\"}")
            .send()
            .as(IssuedToken.class)
            .token();
    try (RawConnection leaving = reader(token);
        RawConnection staying = reader(console.adminToken())) {
      assertThat(leaving.streamUntil("first of talkative")).endsWith("first of talkative");
      assertThat(staying.streamUntil("first of talkative")).endsWith("first of talkative");

      console
          .database()
          .execute("UPDATE jt_operator_token SET expires_at = 1 WHERE name = 'guest'");

      assertThat(leaving.streamUntilItsEnd()).endsWith("\r\n0\r\n\r\n").doesNotContain("third");
      endLongAgo();
      assertThat(staying.streamUntilItsEnd()).contains("third");
    }
  }

  private RunningConsole.Answered signIn() throws Exception {
    RunningConsole.Answered signedIn =
        console
            .request("POST", "/api/v1/session")
            .json("{\"token\":\"" + console.adminToken() + "\"}")
            .send();
    assertThat(signedIn.status()).isEqualTo(201);
    return signedIn;
  }

  @Test
  void streamEndsWhenItsSessionIsSignedOut() throws Exception {
    RunningConsole.Answered session = signIn();
    RunningConsole.Answered other = signIn();
    try (RawConnection leaving = readerWith("Cookie: " + session.cookie());
        RawConnection staying = readerWith("Cookie: " + other.cookie())) {
      assertThat(leaving.streamUntil("first of talkative")).endsWith("first of talkative");
      assertThat(staying.streamUntil("first of talkative")).endsWith("first of talkative");

      RunningConsole.Answered signedOut =
          console
              .request("DELETE", "/api/v1/session")
              .header("Cookie", Objects.requireNonNull(session.cookie()))
              .header("X-CSRF-Token", String.valueOf(session.as(SignedIn.class).csrfToken()))
              .send();

      assertThat(signedOut.status()).isEqualTo(204);
      assertThat(leaving.streamUntilItsEnd()).endsWith("\r\n0\r\n\r\n").doesNotContain("third");
      endLongAgo();
      assertThat(staying.streamUntilItsEnd()).contains("third");
    }
  }

  @Test
  void streamEndsWhenItsSessionExpires() throws Exception {
    try (RawConnection expiring = readerWith("Cookie: " + signIn().cookie());
        RawConnection staying = reader(console.adminToken())) {
      assertThat(expiring.streamUntil("first of talkative")).endsWith("first of talkative");
      assertThat(staying.streamUntil("first of talkative")).endsWith("first of talkative");

      console.database().execute("UPDATE jt_operator_session SET expires_at = 1");

      assertThat(expiring.streamUntilItsEnd()).endsWith("\r\n0\r\n\r\n").doesNotContain("third");
      endLongAgo();
      assertThat(staying.streamUntilItsEnd()).contains("third");
    }
  }

  @Test
  void aTokenHasItsShareOfStreamsAndLeavesTheOthersTheirs() throws Exception {
    String viewer = console.token(Role.VIEW);
    List<RawConnection> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        readers.add(reader(viewer));
        assertThat(readers.get(i).hear().status()).isEqualTo(200);
      }
      readers.add(reader(viewer));
      assertThat(readers.get(10).hear().status()).isEqualTo(503);
      readers.add(reader(console.adminToken()));
      assertThat(readers.get(11).hear().status()).isEqualTo(200);

      readers.get(0).close();
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                readers.add(reader(viewer));
                return readers.get(readers.size() - 1).hear().status() == 200;
              });
    } finally {
      for (RawConnection reader : readers) {
        reader.close();
      }
    }
  }

  @Test
  void readerThatComesBackGetsWhatItHasNotHad() {
    endLongAgo();
    Queue<String> all = follow("", "");
    await().atMost(PATIENCE).until(() -> hasEnded(all));

    Queue<String> byHeader = follow("", "2");
    Queue<String> byQuery = follow("?after=1", "");

    await().atMost(PATIENCE).until(() -> hasEnded(byHeader) && hasEnded(byQuery));
    assertThat(ids(byHeader)).containsExactly("3", "3");
    assertThat(ids(byQuery)).containsExactly("2", "3", "3");
  }

  @Test
  void linesArePagedByTheirSequence() throws Exception {
    await().atMost(PATIENCE).until(() -> page("").items().size() == 2);

    LogPage first = page("?limit=1");
    assertThat(first.items()).extracting(LogItem::text).containsExactly("first of talkative");
    LogPage second = page("?limit=1&after=" + first.next());
    assertThat(second.items()).extracting(LogItem::sequence).containsExactly(2);
    assertThat(page("?after=2").items()).isEmpty();
    assertThat(page("?after=2").next()).isNull();
  }

  private LogLine line(int sequence, LogLevel level, String text) {
    return new LogLine(execution, sequence, Instant.EPOCH, level, text);
  }

  private void append(int from, int to, String text) {
    JobLogStore store = console.database().stores().jobLog();
    for (int first = from; first <= to; first += 500) {
      store.append(
          IntStream.rangeClosed(first, Math.min(to, first + 499))
              .mapToObj(i -> line(i, LogLevel.DEBUG, text))
              .toList());
    }
  }

  @Test
  void linesAreReadBackwardsFromTheEnd() throws Exception {
    append(1_001, 1_005, "late");

    LogPage end = page("?limit=3&before=2147483647");
    assertThat(end.items()).extracting(LogItem::sequence).containsExactly(1_003, 1_004, 1_005);
    assertThat(end.next()).isEqualTo("1003");
    LogPage before = page("?limit=2&before=" + end.next());
    assertThat(before.items()).extracting(LogItem::sequence).containsExactly(1_001, 1_002);
    LogPage first = page("?limit=500&before=" + before.next());
    assertThat(first.items()).allMatch(item -> item.sequence() < 1_001);
    assertThat(first.next()).isNull();
  }

  @Test
  void linesAreFoundByLevelAndText() throws Exception {
    console
        .database()
        .stores()
        .jobLog()
        .append(
            List.of(
                line(1_001, LogLevel.ERROR, "The disk is 100% full"),
                line(1_002, LogLevel.INFO, "the disk is 1000 times full"),
                line(1_003, LogLevel.UNKNOWN, "of a newer worker")));

    assertThat(page("?after=1000&level=error").items())
        .extracting(LogItem::sequence)
        .containsExactly(1_001, 1_003);
    assertThat(page("?after=1000&contains=THE%20DISK").items()).hasSize(2);
    assertThat(page("?before=2147483647&contains=100%25").items())
        .extracting(LogItem::sequence)
        .containsExactly(1_001);
    assertThat(page("?contains=the%20disk&level=INFO&limit=1").next()).isEqualTo("1001");
  }

  @Test
  void searchLooksAtABoundedNumberOfLinesAndGoesOn() throws Exception {
    append(1_001, 6_001, "nothing of note");
    console.database().stores().jobLog().append(List.of(line(900, LogLevel.INFO, "The needle")));

    LogPage part = page("?before=2147483647&contains=needle");
    assertThat(part.items()).isEmpty();
    assertThat(part.next()).isEqualTo("1002");
    LogPage rest = page("?contains=needle&before=" + part.next());
    assertThat(rest.items()).extracting(LogItem::sequence).containsExactly(900);
    assertThat(rest.next()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "?before=0, before",
    "?before=end, before",
    "?before=9&after=3, before",
    "?level=LOUD, level",
    "?contains=, contains",
    "?after=-1, after",
    "?limit=501, limit"
  })
  void badValueIsRefusedAndItsParameterIsNamed(String query, String parameter) throws Exception {
    RunningConsole.Answered answered =
        console.ask("GET", "/api/v1/executions/" + execution + "/log" + query).send();

    assertThat(answered.status()).isEqualTo(400);
    assertThat(answered.as(Problem.class).detail()).contains("query parameter " + parameter);
  }

  private HttpResponse<InputStream> download(long of) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(console.url() + "/api/v1/executions/" + of + "/log/text"))
            .header("Authorization", "Bearer " + console.adminToken())
            .build(),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  @Test
  void wholeLogIsDownloadedAsText() throws Exception {
    await().atMost(PATIENCE).until(() -> page("").items().size() == 2);
    append(1_001, 1_450, "one of many \u5f20");

    HttpResponse<InputStream> answered = download(execution);

    assertThat(answered.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    assertThat(answered.headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"execution-" + execution + ".log\"");
    List<String> lines =
        new String(answered.body().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(3 + 450);
    assertThat(lines.get(0)).matches("\\S{24}  INFO   first of talkative");
    assertThat(lines.subList(1, 3)).last().isEqualTo("in two lines");
    assertThat(lines.subList(3, lines.size()))
        .containsOnly("1970-01-01T00:00:00.000Z  DEBUG  one of many \u5f20");
  }

  @Test
  void downloadOfAnUnknownExecutionIsRefused() throws Exception {
    assertThat(download(1).statusCode()).isEqualTo(404);
  }

  private void appendMoreThanBuffersHold() {
    append(1_001, 4_000, "x".repeat(8_000));
  }

  @Test
  void downloadThatFailsInTheMiddleDoesNotLookComplete() throws Exception {
    appendMoreThanBuffersHold();
    try (InputStream body = download(execution).body()) {
      assertThat(body.read()).isPositive();

      console.database().execute("ALTER TABLE jt_job_log RENAME TO jt_job_log_gone");

      assertThatThrownBy(() -> body.transferTo(OutputStream.nullOutputStream()))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aTokenHasItsShareOfDownloads() throws Exception {
    appendMoreThanBuffersHold();
    String viewer = console.token(Role.VIEW);
    List<RawConnection> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        readers.add(downloader(viewer));
        assertThat(readers.get(i).hear().status()).isEqualTo(200);
      }
      readers.add(downloader(viewer));
      assertThat(readers.get(4).hear().status()).isEqualTo(503);
      readers.add(downloader(console.adminToken()));
      assertThat(readers.get(5).hear().status()).isEqualTo(200);

      readers.get(0).close();
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                readers.add(downloader(viewer));
                return readers.get(readers.size() - 1).hear().status() == 200;
              });
    } finally {
      for (RawConnection reader : readers) {
        reader.close();
      }
    }
  }

  private RawConnection downloader(String token) throws IOException {
    return new RawConnection(console)
        .say(
            "GET /api/v1/executions/%d/log/text HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(execution, host(), token));
  }

  private LogPage page(String query) throws IOException, InterruptedException {
    return console
        .ask("GET", "/api/v1/executions/" + execution + "/log" + query)
        .send()
        .as(LogPage.class);
  }

  @Test
  void whatIsNoSequenceIsRefusedBeforeTheStreamBegins() throws Exception {
    RunningConsole.Answered answered =
        console
            .ask("GET", "/api/v1/executions/" + execution + "/log/stream")
            .header("Last-Event-ID", "three")
            .send();

    assertThat(answered.status()).isEqualTo(400);
    assertThat(answered.as(Problem.class).detail()).contains("Last-Event-ID");
  }
}
