package io.millrace.console.http;

import org.jspecify.annotations.Nullable;

/**
 * The credentials of a request, and its origin.
 *
 * @param bearer the token of the Authorization header, or null
 * @param session the secret of the session cookie, or null
 * @param attempt the cookie of a sign-in that has begun, or null
 * @param csrf the header X-CSRF-Token, which pages of other sites cannot set, or null
 * @param crossSite whether a page of another site made the request, as the browser reports
 * @param address of the client
 * @param cookie the name of the session cookie for this request; {@link #ATTEMPT} behind it names
 *     that of a sign-in
 */
public record Credentials(
    @Nullable String bearer,
    @Nullable String session,
    @Nullable String attempt,
    @Nullable String csrf,
    boolean crossSite,
    String address,
    String cookie) {
  /** What the name of the cookie of a sign-in has behind that of a session. */
  public static final String ATTEMPT = "_sign_in";

  /** Contains no secret. */
  @Override
  public String toString() {
    return "credentials from " + address;
  }
}
