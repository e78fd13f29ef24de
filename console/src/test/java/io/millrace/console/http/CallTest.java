package io.millrace.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallTest {
  private record Body(String token) {}

  @Test
  void textOfACallHasNoSecret() {
    Credentials credentials =
        new Credentials("secret-1", "secret-2", null, "secret-3", false, "127.0.0.1", "cookie");
    Caller caller = new Caller("admin", Rights.of(Role.ADMIN), "127.0.0.1");

    assertThat(credentials.toString()).contains("127.0.0.1").doesNotContain("secret");
    assertThat(
            new Call(
                caller, Map.of(), new Body("secret-4"), credentials, name -> null, () -> false))
        .asString()
        .contains("admin")
        .doesNotContain("secret");
  }
}
