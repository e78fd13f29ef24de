package io.millrace.console.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import io.millrace.console.alert.mail.Mail;
import io.millrace.console.alert.mail.MailConfig;
import io.millrace.console.alert.monitor.AlertKind;
import io.millrace.console.alert.monitor.AlertPhase;
import io.millrace.console.alert.monitor.SampleAlerts;
import io.millrace.console.alert.webhook.Webhook;
import io.millrace.console.alert.webhook.WebhookBody;
import io.millrace.console.alert.webhook.WebhookConfig;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.config.Secret;
import io.millrace.internal.time.ManualClock;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds docs/monitoring.md against what is really sent. */
class AlertsDocTest {
  private static final Path PAGE = Path.of("..", "docs", "monitoring.md");
  private static final String ID = "tracker-1.example.org:35001-mh9x0ow0-7";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void theExampleOfABodyIsWhatIsPosted() throws Exception {
    CompletableFuture<String> posted = new CompletableFuture<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          posted.complete(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Webhook.all(
              List.of(
                  WebhookConfig.of(
                      "http://127.0.0.1:" + server.getAddress().getPort() + "/", Secret.of("any"))),
              threads,
              new JsonCodec(),
              new ManualClock(SampleAlerts.NOON),
              PATIENCE)
          .get(0)
          .deliver(SampleAlerts.message(ID), 0);
    } finally {
      server.stop(0);
      threads.shutdownNow();
    }

    JsonCodec codec = new JsonCodec();
    assertThat(codec.decodeText(block("json"), WebhookBody.class))
        .isEqualTo(codec.decodeText(posted.join(), WebhookBody.class));
  }

  @Test
  void theExampleOfAMailIsWhatIsMailed() throws Exception {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    try {
      new Mail(
              new MailConfig(
                  "127.0.0.1",
                  server.getSmtp().getPort(),
                  MailConfig.Tls.NONE,
                  null,
                  null,
                  "millrace@example.org",
                  List.of("oncall@example.org")),
              PATIENCE)
          .deliver(SampleAlerts.message(ID), 0);
      MimeMessage mail = server.getReceivedMessages()[0];

      assertThat(block("text").lines())
          .containsExactlyElementsOf(
              Stream.concat(
                      Stream.of("Subject: " + mail.getSubject(), ""),
                      mail.getContent().toString().lines())
                  .toList());
    } finally {
      server.stop();
    }
  }

  @Test
  void thePageNamesEveryKindEveryPhaseAndEveryField() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(Arrays.stream(AlertKind.values()))
        .allSatisfy(
            kind ->
                assertThat(page)
                    .contains("`" + kind + "`")
                    .contains("`" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + "`"));
    assertThat(Arrays.stream(AlertPhase.values()))
        .allSatisfy(phase -> assertThat(page).contains("`" + phase + "`"));
    assertThat(Arrays.stream(WebhookBody.class.getRecordComponents()))
        .allSatisfy(field -> assertThat(page).contains("`" + field.getName() + "`"));
  }

  /** The first block of code in this language. */
  private static String block(String language) throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("```" + language + "\n") + language.length() + 4;
    return page.substring(start, page.indexOf("```", start));
  }
}
