package io.millrace.console.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.console.alert.mail.MailConfig;
import io.millrace.console.alert.monitor.AlertKind;
import io.millrace.console.alert.monitor.AlertRules;
import io.millrace.console.alert.webhook.WebhookBody;
import io.millrace.console.alert.webhook.WebhookConfig;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.TaskTracker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tracker as it is deployed, a mail server, and a server that takes webhooks. */
class AlertsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AlertRules SOON =
      new AlertRules(
          EnumSet.allOf(AlertKind.class),
          List.of(),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          60,
          3);

  private final List<String> posted = new CopyOnWriteArrayList<>();
  private final GreenMail mails =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
  private HttpServer server;
  private volatile int status = 200;

  @BeforeEach
  void startReceivers() throws Exception {
    mails.start();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hook",
        exchange -> {
          posted.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stopReceivers() {
    server.stop(0);
    mails.stop();
  }

  @Test
  void whatDiesIsPostedAndMailed() throws Exception {
    try (TestDatabase database = TestDatabase.h2();
        TrackerServer tracker = TrackerServer.create(config(database))) {
      tracker.start();
      die(tracker.tracker(), 5);
      await().atMost(PATIENCE).until(() -> deadIn(posted) == 5);
      assertThat(mails.waitForIncomingEmail(PATIENCE.toMillis(), 1)).isTrue();

      WebhookBody body = new JsonCodec().decodeText(posted.get(0), WebhookBody.class);
      assertThat(body.kind()).isEqualTo(AlertKind.DEAD);
      assertThat(body.nodeGroup()).isEqualTo("orders");
      assertThat(body.text()).contains("on purpose");
      assertThat(mails.getReceivedMessages()[0].getSubject()).startsWith("[Millrace] DEAD orders:");
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  tracker
                      .tracker()
                      .metrics()
                      .registry()
                      .get("millrace.alerts.sent")
                      .counters()
                      .stream()
                      .allMatch(counter -> counter.count() >= 1));
    }
  }

  /** Nobody is lost on the way out, and a receiver that refuses keeps no tracker from stopping. */
  @Test
  void whatIsNotToldYetIsToldWhenTheTrackerStops() {
    status = 503;
    try (TestDatabase database = TestDatabase.h2()) {
      try (TrackerServer tracker = TrackerServer.create(config(database))) {
        tracker.start();
        die(tracker.tracker(), 1);
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    tracker
                            .tracker()
                            .metrics()
                            .registry()
                            .get("millrace.alerts.failed")
                            .tag("receiver", "webhook")
                            .counter()
                            .count()
                        >= 1);
        posted.clear();
        status = 200;
      }

      assertThat(deadIn(posted)).isEqualTo(1);
    }
  }

  private TrackerServerConfig config(TestDatabase database) {
    return new TrackerServerConfig(JobTrackerConfig.local(0, database.config()))
        .withAlerts(
            new AlertConfig(
                SOON,
                List.of(
                    WebhookConfig.of(
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/hook", null)),
                new MailConfig(
                    "127.0.0.1",
                    mails.getSmtp().getPort(),
                    MailConfig.Tls.NONE,
                    null,
                    null,
                    "millrace@example.org",
                    List.of("oncall@example.org")),
                Duration.ofSeconds(10)));
  }

  private static long deadIn(List<String> bodies) {
    return bodies.stream()
        .map(body -> new JsonCodec().decodeText(body, WebhookBody.class))
        .mapToLong(WebhookBody::count)
        .sum();
  }

  /** Jobs that fail for good are submitted, and have ended when this returns. */
  private static void die(JobTracker tracker, int jobs) {
    try (TaskTracker worker =
            TaskTracker.builder()
                .trackers(tracker.address())
                .nodeGroup("orders")
                .slots(4)
                .runner(
                    context -> {
                      throw new IllegalStateException("on purpose");
                    })
                .build();
        JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
      worker.start();
      client.submitAll(
          IntStream.range(0, jobs)
              .mapToObj(i -> Job.builder("orders", "task-" + i).retry(RetryPolicy.NONE).build())
              .toList());
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  tracker
                          .metrics()
                          .registry()
                          .get("millrace.triggers.ended")
                          .tags("group", "orders", "outcome", "dead")
                          .counter()
                          .count()
                      == jobs);
    }
  }
}
