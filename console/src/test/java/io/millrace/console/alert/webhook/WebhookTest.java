package io.millrace.console.alert.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.console.alert.monitor.AlertCounts;
import io.millrace.console.alert.monitor.AlertSender;
import io.millrace.console.alert.monitor.DeliveryException;
import io.millrace.console.alert.monitor.SampleAlerts;
import io.millrace.internal.LogCapture;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.config.Secret;
import io.millrace.internal.time.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real server on this machine. */
class WebhookTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String SECRET = "whoever knows this may sign";

  private final ManualClock clock = new ManualClock(SampleAlerts.NOON);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Received> received = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch end = new CountDownLatch(1);
  private HttpServer server;

  private record Received(
      String method, String path, Map<String, List<String>> headers, String body) {
    @Nullable String header(String name) {
      List<String> values = headers.get(name);
      return values == null ? null : values.get(0);
    }
  }

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stopServer() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void messageIsPostedAsJsonWithAText() throws DeliveryException {
    answer("/hook", 200);

    webhook("/hook", null, PATIENCE).deliver(SampleAlerts.message("id-1"), 2);

    assertThat(received).hasSize(1);
    Received request = received.get(0);
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.header("Content-type")).isEqualTo("application/json");
    assertThat(request.header("X-millrace-delivery")).isEqualTo("id-1");
    assertThat(request.header("X-millrace-signature")).isNull();
    assertThat(new JsonCodec().decodeText(request.body(), WebhookBody.class))
        .isEqualTo(WebhookBody.of(SampleAlerts.message("id-1"), 2));
    assertThat(request.body())
        .startsWith("{\"text\":\"orders: 3 triggers ended DEAD\\n- close:42 at ")
        .contains("\"kind\":\"DEAD\"", "\"nodeGroup\":\"orders\"", "\"undelivered\":2");
  }

  @Test
  void bodyIsSignedTogetherWithTheTime() throws Exception {
    answer("/hook", 204);

    webhook("/hook", Secret.of(SECRET), PATIENCE).deliver(SampleAlerts.message("id-1"), 0);

    Received request = received.get(0);
    String timestamp = request.header("X-millrace-timestamp");
    assertThat(timestamp).isEqualTo(Long.toString(SampleAlerts.NOON.getEpochSecond()));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] expected =
        mac.doFinal((timestamp + "." + request.body()).getBytes(StandardCharsets.UTF_8));
    assertThat(request.header("X-millrace-signature"))
        .isEqualTo("v1=" + HexFormat.of().formatHex(expected));
  }

  @Test
  void noOtherAddressIsCalledThanTheOneThatIsConfigured() {
    answer("/elsewhere", 200);
    server.createContext(
        "/hook",
        exchange -> {
          note(exchange);
          exchange.getResponseHeaders().set("Location", url("/elsewhere"));
          exchange.sendResponseHeaders(307, -1);
          exchange.close();
        });

    assertThatThrownBy(
            () -> webhook("/hook", null, PATIENCE).deliver(SampleAlerts.message("id"), 0))
        .isInstanceOf(DeliveryException.class)
        .hasMessage("it answered 307, and redirects are not followed");
    assertThat(received).extracting(Received::path).containsExactly("/hook");
  }

  @ParameterizedTest
  @CsvSource({
    "200, 1, 0",
    "202, 1, 0",
    "301, 1, 1",
    "400, 1, 1",
    "404, 1, 1",
    "408, 2, 0",
    "429, 2, 0",
    "500, 2, 0",
    "503, 2, 0"
  })
  void whatMayPassIsTriedAgain(int status, int attempts, int dropped) {
    answer("/hook", status);
    long[] droppedMessages = new long[1];
    AlertSender courier =
        new AlertSender(
            webhook("/hook", null, PATIENCE),
            (receiverType, outcome, alerts) ->
                droppedMessages[0] += outcome == AlertCounts.Outcome.DROPPED ? alerts : 0);
    try (LogCapture log = new LogCapture(AlertSender.class)) {
      courier.take(List.of(SampleAlerts.message("id")));
      courier.runOnce(0);
      courier.runOnce(Duration.ofMinutes(10).toMillis());

      assertThat(log.lines()).hasSize(status < 300 ? 0 : attempts);
    }

    assertThat(received).hasSize(attempts);
    assertThat(droppedMessages[0]).isEqualTo(dropped);
  }

  @Test
  void receiverThatNeverAnswersIsGivenUp() {
    server.createContext("/hook", exchange -> waitForTheEnd());

    assertThatThrownBy(
            () ->
                webhook("/hook", null, Duration.ofMillis(200))
                    .deliver(SampleAlerts.message("id"), 0))
        .isInstanceOf(DeliveryException.class)
        .hasMessage("it did not answer within 200 ms");
  }

  @Test
  void answerWhoseBodyNeverEndsIsTaken() throws DeliveryException {
    server.createContext(
        "/hook",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          waitForTheEnd();
        });

    webhook("/hook", null, PATIENCE).deliver(SampleAlerts.message("id"), 0);

    assertThat(end.getCount()).isEqualTo(1);
  }

  @Test
  void serverThatIsNotThereIsAFailure() {
    String gone = url("/hook");
    server.stop(0);

    assertThatThrownBy(() -> of(gone, null, PATIENCE).deliver(SampleAlerts.message("id"), 0))
        .isInstanceOf(DeliveryException.class)
        .hasMessageStartingWith("it cannot be reached: java.net.ConnectException");
  }

  /** Chat systems put the right to post into the address. */
  @Test
  void neitherTheAddressNorTheSecretIsShown() {
    WebhookConfig config =
        WebhookConfig.of("http://127.0.0.1:1/services/T0/B0/xyz", Secret.of(SECRET));
    String shown =
        config
            + " "
            + Webhook.all(List.of(config), threads, new JsonCodec(), clock, PATIENCE).get(0).name();

    assertThat(shown).isEqualTo("webhook 127.0.0.1 webhook 127.0.0.1");
    assertThatThrownBy(
            () ->
                of(config.url().toString(), null, PATIENCE).deliver(SampleAlerts.message("id"), 0))
        .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("xyz"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://example.org/xyz",
        "file:///etc/xyz",
        "/services/xyz",
        "http:///xyz",
        "https://user:xyz@example.org/",
        "https://example.org/#xyz",
        "https://example.org/x y z/xyz"
      })
  void addressesOfOtherKindsAreRefusedWithoutShowingThem(String url) {
    assertThatThrownBy(() -> WebhookConfig.of(url, null))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("xyz"))
        .hasNoCause();
  }

  /** A job's message must not call everybody in a channel, nor hide where a link leads. */
  @Test
  void textCannotCallAChannelNorDisguiseALink() {
    String text =
        WebhookBody.of(
                SampleAlerts.message(
                    "id", "orders", "<!channel> @all <https://evil|fine> [fine](https://evil)"),
                0)
            .text();

    assertThat(text).doesNotContain("<", ">", "@all", "](").contains("&lt;!channel&gt;");
  }

  private void answer(String path, int status) {
    server.createContext(
        path,
        exchange -> {
          note(exchange);
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
  }

  private void note(HttpExchange exchange) throws IOException {
    received.add(
        new Received(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            Map.copyOf(exchange.getRequestHeaders()),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
  }

  private void waitForTheEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Webhook webhook(String path, @Nullable Secret secret, Duration timeout) {
    return of(url(path), secret, timeout);
  }

  private Webhook of(String url, @Nullable Secret secret, Duration timeout) {
    return Webhook.all(
            List.of(WebhookConfig.of(url, secret)), threads, new JsonCodec(), clock, timeout)
        .get(0);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }
}
