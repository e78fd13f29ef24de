package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.http.HttpLimits;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who was in, and who was not let in, stands in the audit. */
class SignInAuditTest {

  @Test
  void signInsAndRefusedTokensAreInTheAudit() throws Exception {
    HttpLimits quickToRefuse = HttpLimits.DEFAULT.withGuessDelay(Duration.ofMillis(1));
    try (RunningConsole console = RunningConsole.within(TestDatabase.h2(), quickToRefuse)) {
      int signedIn = signIn(console, console.adminToken());
      for (int i = 0; i < 20; i++) {
        assertThat(signIn(console, "mrt_nobody" + i)).isEqualTo(401);
        assertThat(console.request("GET", "/api/v1/jobs").token("mrt_guess" + i).send().status())
            .isEqualTo(401);
      }

      assertThat(signedIn).isEqualTo(201);
      List<AuditStore.Entry> entries =
          console
              .database()
              .stores()
              .console()
              .audit()
              .search(
                  new AuditStore.Query(null, "signIn", null),
                  AgeOrder.NEWEST_FIRST,
                  Long.MAX_VALUE,
                  100,
                  1_000)
              .entries();
      assertThat(entries)
          .extracting(e -> e.operator() + " " + e.role() + " " + e.status() + " " + e.target())
          .containsExactly(
              "- VIEW 401 Authorization: Bearer",
              "- VIEW 401 /api/v1/session",
              "admin ADMIN 201 /api/v1/session");
      assertThat(entries).allMatch(entry -> entry.address().equals("127.0.0.1"));
      assertThat(entries).noneMatch(entry -> String.valueOf(entry).contains("mrt_"));
      assertThat(console.ask("GET", "/api/v1/audit?action=signIn").send().body())
          .contains("the token is unknown");
    }
  }

  private static int signIn(RunningConsole console, String token) throws Exception {
    return console
        .request("POST", "/api/v1/session")
        .json("{\"token\":\"" + token + "\"}")
        .send()
        .status();
  }
}
