package io.millrace.console.api.operator;

import io.millrace.console.access.Sessions;
import io.millrace.console.http.Call;
import io.millrace.console.http.Credentials;
import java.time.Duration;

/**
 * The cookies of a browser, as values of the header Set-Cookie.
 *
 * @param secure whether they are sent over encrypted connections only
 */
public record Cookies(boolean secure) {
  /** How long a person may take to sign in at the provider. */
  private static final Duration ATTEMPT = Duration.ofMinutes(10);

  String ofSession(Call call, Sessions.Begun session) {
    return cookie(call, "", session.secret(), session.length(), "Strict");
  }

  String endOfSession(Call call) {
    return cookie(call, "", "", Duration.ZERO, "Strict");
  }

  /** Lax, because it has to come along when the provider, another site, sends the person back. */
  String ofAttempt(Call call, String value) {
    return cookie(call, Credentials.ATTEMPT, value, ATTEMPT, "Lax");
  }

  String endOfAttempt(Call call) {
    return cookie(call, Credentials.ATTEMPT, "", Duration.ZERO, "Lax");
  }

  private String cookie(Call call, String suffix, String value, Duration life, String sameSite) {
    return "%s%s=%s; Path=/; HttpOnly; SameSite=%s; Max-Age=%s%s"
        .formatted(
            call.credentials().cookie(),
            suffix,
            value,
            sameSite,
            life.toSeconds(),
            secure ? "; Secure" : "");
  }
}
