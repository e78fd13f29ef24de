package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.RawConnection.Heard;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.operator.SessionRoutes.SignedIn;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no browser and no program of good will sends, as bytes. */
class HostAndOriginTest {
  private static RunningConsole console;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static Heard heard(String request) throws IOException {
    try (RawConnection connection = new RawConnection(console)) {
      return connection.say(request.replace("|", "\r\n")).hear();
    }
  }

  private static void isProblem(Heard heard, int status) {
    assertThat(heard.status()).as(heard.head()).isEqualTo(status);
    assertThat(heard.head())
        .contains(
            "application/problem+json",
            "content-security-policy: ",
            "x-content-type-options: nosniff",
            "x-frame-options: deny");
    assertThat(heard.body()).contains("\"status\":" + status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /health HTTP/1.1||",
        "GET /health HTTP/1.1|Host: localhost|Host: localhost||",
        "GET /health HTTP/1.1|Host: a|Host: b||",
        "GET /%zz HTTP/1.1|Host: localhost||",
        "GET /health HTTP/1.1|Host: localhost|Bad header: x||",
        "GET /health HTTP/1.1|Host: localhost|A: b|Transfer-Encoding : chunked||",
        "POST /api/v1/session HTTP/1.1|Host: localhost|Transfer-Encoding: chunked||no size|",
        "POST /api/v1/session HTTP/1.1|Host: localhost|Transfer-Encoding: chunked||2 ;\nx|",
        "GET /health HTTP/1.1|Host: localhost|Transfer-Encoding: chunked||-1|",
      })
  void whatIsNotWellFormedIsRefusedAsAProblem(String request) throws Exception {
    isProblem(heard(request), 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8081",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        ""
      })
  void aLoopbackAddressIsNotAskedByOtherNames(String host) throws Exception {
    isProblem(heard("GET /health HTTP/1.1|Host: " + host + "||"), 403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:8081",
        "localhost.",
        "a.localhost:1",
        "127.0.0.1:80",
        "[::1]:8081",
        "10.1.2.3"
      })
  void aLoopbackAddressIsAskedByItselfAndByAddresses(String host) throws Exception {
    assertThat(heard("GET /health HTTP/1.1|Host: " + host + "||").status()).isEqualTo(200);
  }

  @Test
  void aProbeOfHttpTenNeedsNoHost() throws Exception {
    assertThat(heard("GET /health HTTP/1.0||").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "PATCH /api/v1/jobs;GET, POST",
        "DELETE /health;GET",
        "POST /;GET, HEAD",
        "PATCH /api/v1/jobs/orders/nightly;DELETE, GET, PUT",
      })
  void aMethodThatIsNotTakenIsAnsweredWithThoseThatAre(String asked, String allowed)
      throws Exception {
    Heard heard = heard(asked + " HTTP/1.1|Host: localhost||");

    isProblem(heard, 405);
    assertThat(heard.head()).contains("\nallow: " + allowed.toLowerCase(java.util.Locale.ROOT));
  }

  @Test
  void aPageOfAnotherOriginChangesNothingEvenWithTheSecondSecret() throws Exception {
    Answered session = signIn();
    String own = console.url();

    assertThat(change(session, "http://evil.example")).isEqualTo(403);
    assertThat(change(session, "null")).isEqualTo(403);
    assertThat(change(session, own)).isEqualTo(201);
  }

  private static Answered signIn() throws Exception {
    return console
        .request("POST", "/api/v1/session")
        .json("{\"token\":\"" + console.adminToken() + "\"}")
        .send();
  }

  private static int change(Answered session, String origin) throws Exception {
    return console
        .request("POST", "/api/v1/tokens")
        .header("Cookie", String.valueOf(session.cookie()))
        .header("X-CSRF-Token", String.valueOf(session.as(SignedIn.class).csrfToken()))
        .header("Origin", origin)
        .json("{\"name\":\"t%d\",\"role\":\"VIEW\"}".formatted(System.nanoTime()))
        .send()
        .status();
  }

  @Test
  void trackersOnOneMachineLeaveEachOthersCookiesAlone() throws Exception {
    try (RunningConsole other = RunningConsole.over(TestDatabase.h2())) {
      String here = String.valueOf(signIn().cookie());
      String there =
          String.valueOf(
              other
                  .request("POST", "/api/v1/session")
                  .json("{\"token\":\"" + other.adminToken() + "\"}")
                  .send()
                  .cookie());

      assertThat(here).startsWith("millrace_session_" + port(console) + "=");
      assertThat(there).startsWith("millrace_session_" + port(other) + "=");
      for (RunningConsole asked : new RunningConsole[] {console, other}) {
        assertThat(
                asked
                    .request("GET", "/api/v1/session")
                    .header("Cookie", here + "; " + there)
                    .send()
                    .status())
            .isEqualTo(200);
      }
    }
  }

  private static int port(RunningConsole of) {
    return URI.create(of.url()).getPort();
  }
}
