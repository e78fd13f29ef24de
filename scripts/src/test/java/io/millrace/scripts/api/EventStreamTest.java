package io.millrace.scripts.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.api.EventStream.Event;
import io.millrace.scripts.api.EventStream.Retries;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads from a server that sends what it was told to, and then breaks off. */
@Timeout(60)
class EventStreamTest {
  private static final int MUCH_TOO_LONG = 1_000_000;

  private record Sent(int status, String body, boolean whole) {}

  private final Queue<Sent> sendings = new ArrayDeque<>();
  private final LinkedBlockingQueue<String> lastIds = new LinkedBlockingQueue<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
          lastIds.add(last == null ? "" : last);
          Sent next = sendings.remove();
          byte[] bytes = next.body().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(next.status(), next.whole() ? bytes.length : MUCH_TOO_LONG);
          exchange.getResponseBody().write(bytes);
          exchange.getResponseBody().flush();
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void eventsComeInOrderWithAllTheirLines() throws Exception {
    sends(200, ": hello\n\nid: 1\nevent: line\ndata: a\ndata:  b\n\nevent:end\ndata:{}\n\n", true);

    try (EventStream events = events(0)) {
      assertThat(events.next()).isEqualTo(new Event("line", "a\n b"));
      assertThat(events.next()).isEqualTo(new Event("end", "{}"));
    }
  }

  @Test
  void streamThatBreaksOffGoesOnBehindTheLastWholeEvent() throws Exception {
    sends(200, "id: 1\nevent: line\ndata: a\n\nid: 2\nevent: line\nda", false);
    sends(503, "not now", true);
    sends(200, "id: 2\nevent: line\ndata: b\n\n", true);
    sends(200, "id: 3\nevent: end\ndata: c\n\n", true);

    try (EventStream events = events(5)) {
      assertThat(List.of(events.next(), events.next(), events.next()))
          .extracting(Event::data)
          .containsExactly("a", "b", "c");
    }
    assertThat(lastIds).containsExactly("", "1", "1", "2");
  }

  @Test
  void whatIsRefusedIsNotAskedAgain() {
    sends(404, "{\"type\":\"x\",\"title\":\"t\",\"status\":404,\"detail\":\"no 7\"}", true);

    try (EventStream events = events(5)) {
      assertThatThrownBy(events::next).isInstanceOf(NotFoundException.class).hasMessage("no 7");
    }
    assertThat(lastIds).hasSize(1);
  }

  @Test
  void trackerThatWasNeverThereIsAFailureAtOnce() {
    server.stop(0);

    try (EventStream events = events(MUCH_TOO_LONG)) {
      assertThatThrownBy(events::next)
          .isInstanceOf(CommandFailedException.class)
          .hasMessageStartingWith("no tracker answers at ");
    }
  }

  @Test
  void trackerThatDoesNotComeBackIsAFailure() throws Exception {
    sends(200, "id: 1\nevent: line\ndata: a\n\n", true);

    try (EventStream events = events(3)) {
      assertThat(events.next().data()).isEqualTo("a");
      server.stop(0);
      assertThatThrownBy(events::next)
          .isInstanceOf(CommandFailedException.class)
          .hasMessageStartingWith("no tracker answers at ");
    }
  }

  private void sends(int status, String body, boolean whole) {
    sendings.add(new Sent(status, body, whole));
  }

  private EventStream events(int retries) {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    try {
      return ApiClient.of(ApiUrl.parse(url), null, null, Duration.ofSeconds(20))
          .events(ApiPath.of("log"), new Retries(retries, Duration.ofMillis(1)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
