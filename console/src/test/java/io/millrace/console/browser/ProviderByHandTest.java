package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.ConsoleConfig;
import io.millrace.console.RunningConsole;
import io.millrace.console.access.oidc.SpringProvider;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;

/** People sign in through a real identity provider, which is another site for the browser. */
@InBrowser
class ProviderByHandTest {
  private static final String BUTTON = "Sign in with Example login";

  private SpringProvider provider;
  private RunningConsole console;

  @BeforeEach
  void start(Operator operator) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    provider = SpringProvider.forConsole(URI.create("http://127.0.0.1:" + port));
    console =
        RunningConsole.with(
            TestDatabase.h2(), ConsoleConfig.onLoopback(port).with(provider.config()));
    operator.visit(console.url());
  }

  @AfterEach
  void stop() {
    console.close();
    provider.close();
  }

  /** Fills in the page of the provider. */
  private static void signInAtProvider(Operator operator, String name) {
    WebDriver driver = operator.browser().driver();
    Awaitility.await().until(() -> !driver.findElements(By.name("username")).isEmpty());
    driver.findElement(By.name("username")).sendKeys(name);
    driver.findElement(By.name("password")).sendKeys(name);
    driver.findElement(By.cssSelector("button[type=submit]")).click();
  }

  @Test
  void theBrowserReturnsToThePageThatWasAskedFor(Operator operator) {
    operator.script("location.hash = '#/tokens'");
    operator.sees(BUTTON);
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.click(BUTTON);

    signInAtProvider(operator, "ann");

    operator.seesIn("h1", "Tokens");
    operator.seesIn(".who", "oidc:ann");
    assertThat(operator.address()).endsWith("/#/tokens");
    assertThat(operator.row("oidc:ann")).contains("person", "identity provider");
    assertThat(operator.canClick("Renew the token of oidc:ann")).isFalse();
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }

  @Test
  void aPersonWithoutARoleIsToldSo(Operator operator) {
    operator.click(BUTTON);
    signInAtProvider(operator, "dora");

    operator.sees("You have no role here.");
    assertThat(operator.address()).endsWith("/#/");
  }

  @Test
  void aRevokedPersonIsRestored(Operator operator) {
    operator.click(BUTTON);
    signInAtProvider(operator, "cid");
    operator.seesIn(".who", "oidc:cid");
    operator.click("Sign out");
    operator.signIn(console.adminToken());
    operator.open("/tokens");

    operator.click("Revoke the token of oidc:cid");
    operator.isAsked("This revokes 1 person");
    operator.click("Revoke");
    operator.seesInRow("oidc:cid", "revoked");
    operator.click("Restore oidc:cid");
    operator.sees("oidc:cid may sign in again.");
    operator.seesInRow("oidc:cid", "valid");
  }

  /** A window of its own opens. The provider still knows the person, and so it closes at once. */
  @Test
  void whatWasTypedOutlivesTheSession(Operator operator) {
    try (JobClient client = JobClient.builder().trackers(console.tracker().address()).build()) {
      client.submit(Job.builder("orders", "outlives").cron("0 0 5 1 1 ?").build());
    }
    operator.click(BUTTON);
    signInAtProvider(operator, "ann");
    operator.seesIn(".who", "oidc:ann");
    operator.open("/jobs/orders/outlives/edit");
    operator.type("Handler", "typed-before");
    WebDriver driver = operator.browser().driver();
    driver.manage().deleteAllCookies();
    operator.script(
        "document.getElementById('job-form').dispatchEvent(new Event('input', { bubbles: true }))");
    operator.isAsked("The session has ended. Sign in again.");

    operator.click(BUTTON);

    Awaitility.await()
        .until(() -> operator.dialog().isEmpty() && driver.getWindowHandles().size() == 1);
    assertThat(operator.holds("Handler")).isEqualTo("typed-before");
    assertThat(operator.focus()).isEqualTo("Handler");
  }
}
