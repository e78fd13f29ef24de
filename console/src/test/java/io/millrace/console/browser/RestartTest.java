package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.ConsoleConfig;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tracker is started anew while somebody looks at it. */
@InBrowser
class RestartTest {
  private final TestDatabase database = TestDatabase.h2();
  private TrackerServer tracker = started(0);

  private TrackerServer started(int port) {
    TrackerServer started =
        TrackerServer.create(
            new TrackerServerConfig(JobTrackerConfig.local(0, database.config()))
                .withConsole(ConsoleConfig.onLoopback(port)));
    started.start();
    return started;
  }

  @AfterEach
  void close() {
    tracker.close();
    database.close();
  }

  private void submit(String task) {
    try (JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
      client.submit(Job.builder("orders", task).cron("0 0 5 1 1 ?").build());
    }
  }

  @Test
  void pageSaysSoKeepsWhatItHadAndGoesOn(Operator operator) {
    String url = tracker.consoleUrl().orElseThrow();
    submit("before");
    operator.visit(url);
    operator.signIn(tracker.firstOperatorToken().orElseThrow());
    operator.open("/jobs");
    operator.browser().putMouseAside();
    operator.sees("before");

    tracker.close();
    operator.sees("The tracker has not answered since");
    assertThat(operator.text()).contains("This page shows the state before.");
    assertThat(operator.row("before")).contains("orders", "active");
    operator.script("location.hash = '#/groups'");
    operator.sees("Waiting for the tracker…");
    operator.browser().driver().navigate().back();

    tracker = started(URI.create(url).getPort());
    submit("after");
    operator.sees("after");
    assertThat(operator.text()).doesNotContain("has not answered");
    assertThat(operator.row("before")).contains("active");
  }

  @Test
  void changeWhoseFateIsNotKnownIsNotSaidToBeMade(Operator operator) {
    submit("to-pause");
    operator.visit(tracker.consoleUrl().orElseThrow());
    operator.signIn(tracker.firstOperatorToken().orElseThrow());
    operator.open("/jobs");
    operator.click("Pause to-pause");
    operator.isAsked("Pause orders/to-pause?");
    tracker.close();

    operator.click("Pause");

    operator.sees("it is not known whether the change was made");
    assertThat(operator.text()).doesNotContain("is paused.");
  }
}
