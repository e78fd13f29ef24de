package io.millrace.scripts.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages of a server that gives them as it was told to. */
@Timeout(60)
class ListingTest {
  private static final String ROW =
      "{\"name\":\"%s\",\"role\":\"VIEW\",\"state\":\"VALID\",\"createdAt\":\"2030-01-01T00:00:00Z\",\"createdBy\":\"x\"}";

  private final Queue<String> pages = new ArrayDeque<>();
  private final LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().toString());
          String page = pages.remove();
          byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(page.contains("title") ? 503 : 200, bytes.length);
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
  void emptyPageIsNotTheLast() {
    pages.add("{\"items\":[],\"next\":\"a=\"}");
    pages.add("{\"items\":[%s]}".formatted(ROW.formatted("bob")));

    CommandRun run = tokens("--all");

    assertThat(run.error()).isEmpty();
    assertThat(run.out().lines()).hasSize(2);
    assertThat(asked)
        .containsExactly("/api/v1/tokens?limit=500", "/api/v1/tokens?limit=500&after=a%3D");
  }

  @Test
  void emptyPageWithANextOneSaysThatThereMayBeMore() {
    pages.add("{\"items\":[],\"next\":\"a\"}");

    assertThat(tokens().error()).startsWith("there may be more: --after a ");
    assertThat(asked).containsExactly("/api/v1/tokens");
  }

  @Test
  void whatBreaksOffSaysWhereToGoOn() {
    pages.add("{\"items\":[%s],\"next\":\"b\"}".formatted(ROW.formatted("bob")));
    pages.add("{\"type\":\"x\",\"title\":\"Not now\",\"status\":503,\"detail\":\"no database\"}");

    CommandRun run = tokens("--all", "--limit", "1");

    assertThat(run.out().lines()).hasSize(2);
    assertThat(run.error())
        .isEqualTo("millrace tokens: Not now: no database; use --after b to continue here\n");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  private CommandRun tokens(String... options) {
    String[] line = new String[options.length + 3];
    line[0] = "tokens";
    line[1] = "--url";
    line[2] = "http://127.0.0.1:" + server.getAddress().getPort();
    System.arraycopy(options, 0, line, 3, options.length);
    return CommandRun.of(line);
  }
}
