package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.console.RawConnection.Heard;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What peers send, withhold and leave unread, over real sockets, costs no more than its bounds. */
@Timeout(120)
class StrangersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST = 20;
  private static final HttpLimits PATIENT =
      new HttpLimits(
          MOST,
          MOST,
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          HttpLimits.DEFAULT.guessDelay());
  private static final HttpLimits IMPATIENT =
      new HttpLimits(
          200,
          200,
          Duration.ofMillis(500),
          Duration.ofSeconds(5),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          HttpLimits.DEFAULT.guessDelay());
  private static final String HEALTH = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final List<RawConnection> opened = new ArrayList<>();
  private RunningConsole console;

  private void start(HttpLimits limits) {
    console = RunningConsole.within(TestDatabase.h2(), limits);
  }

  private RawConnection connect() throws IOException {
    RawConnection connection = new RawConnection(console);
    opened.add(connection);
    return connection;
  }

  private void connect(int count, String text) throws IOException {
    for (int i = 0; i < count; i++) {
      RawConnection unused = connect().say(text);
    }
  }

  private long open() {
    return opened.stream().filter(connection -> !isClosed(connection)).count();
  }

  private static boolean isClosed(RawConnection connection) {
    try {
      return connection.isClosed();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String post(String path, String token, int length) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + (token.isEmpty() ? "" : "\r\nAuthorization: Bearer " + token)
        + "\r\n\r\n";
  }

  @AfterEach
  void close() throws IOException {
    for (RawConnection connection : opened) {
      connection.close();
    }
    console.close();
  }

  @Test
  void aLargeSignInIsRefusedBeforeItsBodyIsSent() throws Exception {
    start(PATIENT);

    Heard heard = connect().say(post("/api/v1/session", "", 4_194_000)).hear();

    assertThat(heard.status()).isEqualTo(413);
    assertThat(heard.body()).contains("exceeds the limit of 4 KiB");
  }

  @Test
  void aLargeBodyOfAStrangerIsRefusedBeforeItIsSent() throws Exception {
    start(PATIENT);

    Heard heard = connect().say(post("/api/v1/jobs", "mrt_wrong", 4_000_000)).hear();

    assertThat(heard.status()).isEqualTo(401);
  }

  @Test
  void bodiesInMemoryAreBoundedForACallerAndOthersGoOn() throws Exception {
    start(PATIENT);
    String operator = console.token(Role.OPERATE);
    List<RawConnection> halves = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      halves.add(connect().say(post("/api/v1/schedules/preview", operator, 4 << 20)).say("{"));
    }
    await().atMost(PATIENCE).until(() -> halves.stream().anyMatch(RawConnection::isAnswered));
    List<RawConnection> refused = halves.stream().filter(RawConnection::isAnswered).toList();

    assertThat(refused).hasSize(1);
    Heard heard = refused.get(0).hear();
    assertThat(heard.status()).isEqualTo(503);
    assertThat(heard.body()).contains("large requests");
    assertThat(console.ask("GET", "/api/v1/jobs").send().status()).isEqualTo(200);

    for (RawConnection half : halves) {
      half.close();
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> connect().say(post("/api/v1/jobs", operator, 2)).say("{}").hear().status() < 500);
  }

  @Test
  void silentConnectionsAreBoundedFromTheMomentTheyAreAccepted() throws Exception {
    start(PATIENT);

    connect(100, "");

    await().atMost(PATIENCE).until(() -> open() <= MOST + HttpLimits.KEPT_FOR_HEALTH);
    assertThat(connect().say(HEALTH).hear().status()).isEqualTo(200);
  }

  @Test
  void connectionsThatAskedOnceAndStayMakeRoomForOthers() throws Exception {
    start(PATIENT);
    String viewer = console.token(Role.VIEW);
    for (int i = 0; i < 60; i++) {
      assertThat(connect().say(HEALTH).hear().status()).isEqualTo(200);
    }

    assertThat(open()).isLessThanOrEqualTo(MOST + HttpLimits.KEPT_FOR_HEALTH);
    assertThat(console.request("GET", "/api/v1/jobs").token(viewer).send().status()).isEqualTo(200);
  }

  @Test
  void healthAnswersWhenAllConnectionsAreInUseAndNothingElseDoes() throws Exception {
    start(PATIENT);
    String operator = console.token(Role.OPERATE);
    List<RawConnection> busy = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      RawConnection known = connect().say(get("/api/v1/jobs", bearer(operator)));
      assertThat(known.hear().status()).isEqualTo(200);
      busy.add(known.say(post("/api/v1/schedules/preview", operator, 100)));
    }
    // Each is answered when its body is complete, so none of them gives up its place before.
    await().atMost(PATIENCE).until(() -> connect().say(get("/", "")).hear().status() == 503);

    assertThat(connect().say(HEALTH).hear().status()).isEqualTo(200);
    assertThat(busy).noneMatch(StrangersTest::isClosed);

    RawConnection first = busy.get(0).say("{" + " ".repeat(98) + "}");
    assertThat(first.hear().status()).isEqualTo(200);
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  private static String get(String path, String headers) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }

  @Test
  void aHeadHasADeadlineHoweverManyBytesOfItCome() throws Exception {
    start(IMPATIENT);
    RawConnection dripping = connect().say("GET /health HTTP/1.1\r\nHost: localhost\r\n");

    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                RawConnection unused = dripping.say("X: y\r\n");
                return dripping.isClosed();
              } catch (IOException reset) {
                return true;
              }
            });
    assertThat(connect().say(HEALTH).hear().status()).isEqualTo(200);
  }

  @Test
  void aBodyHasADeadlineAndAConnectionWithoutARequestToo() throws Exception {
    start(IMPATIENT);
    RawConnection withheld = connect().say(post("/api/v1/session", "", 100)).say("{");
    RawConnection silent = connect();
    RawConnection idle = connect().say(HEALTH);
    assertThat(idle.hear().status()).isEqualTo(200);

    assertThat(withheld.bytesUntilClosed()).isZero();
    assertThat(silent.bytesUntilClosed()).isZero();
    assertThat(idle.bytesUntilClosed()).isZero();
  }

  @Test
  void answersThatAreNotTakenEndTheConnection() throws Exception {
    start(IMPATIENT);
    String admin = bearer(console.adminToken());
    String thousand = get("/api/v1/openapi.json", admin).repeat(1_000);
    RawConnection unread = connect().say(thousand);
    await().atMost(PATIENCE).until(() -> refused("slow") > 0);

    assertThat(unread.bytesUntilClosed()).isLessThan(100L << 20).isPositive();
    assertThat(connect().say(HEALTH).hear().status()).isEqualTo(200);
  }

  private double refused(String reason) {
    return console
        .tracker()
        .metrics()
        .registry()
        .get("millrace.console.refused")
        .tag("reason", reason)
        .counter()
        .count();
  }

  @Test
  void http2IsNotSpokenInTheClear() throws Exception {
    start(PATIENT);

    Heard known = connect().say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").hear();
    Heard upgrade =
        connect()
            .say(
                get(
                    "/health",
                    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                        + "HTTP2-Settings: AAMAAABk\r\n"))
            .hear();

    assertThat(known.status()).as(known.head()).isGreaterThanOrEqualTo(400);
    assertThat(upgrade.head()).startsWith("http/1.1 200");
  }

  @Test
  void guessesAreCountedAndGetSlowWhileAGoodTokenIsAnswered() throws Exception {
    start(PATIENT);
    long begun = System.nanoTime();
    for (int i = 0; i < 11; i++) {
      Problem problem =
          console.request("GET", "/api/v1/jobs").token("mrt_" + i).send().as(Problem.class);
      assertThat(problem.status()).isEqualTo(401);
    }

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(refused("token")).isEqualTo(11);
    assertThat(console.ask("GET", "/api/v1/jobs").send().status()).isEqualTo(200);
  }
}
