package io.millrace.console.access.oidc;

import io.millrace.console.access.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A sign-in that has begun. The browser keeps it in a cookie until the provider sends the person
 * back, so that any tracker can go on with it; nothing is kept here. What the provider is sent is
 * derived from the secret, and does not tell it.
 *
 * @param secret known to this browser and to the tracker only
 * @param page where the person goes afterwards, as the fragment of the console's address
 */
record Attempt(String secret, String page) {
  static final String HOME = "#/";

  private static final Pattern PAGE = Pattern.compile("#/[!-~]{0,1500}");
  private static final char BETWEEN = '.';
  private static final Secrets SECRETS = new Secrets();

  /** Begins one; a page that is none of the console's is replaced by its first page. */
  static Attempt begin(String page) {
    return new Attempt(SECRETS.next("mri_"), PAGE.matcher(page).matches() ? page : HOME);
  }

  /** Reads what {@link #cookie} wrote. */
  static Optional<Attempt> read(String cookie) {
    int at = cookie.indexOf(BETWEEN);
    if (at <= 0) {
      return Optional.empty();
    }
    try {
      byte[] page = Base64.getUrlDecoder().decode(cookie.substring(at + 1));
      return Optional.of(
              new Attempt(cookie.substring(0, at), new String(page, StandardCharsets.US_ASCII)))
          .filter(attempt -> PAGE.matcher(attempt.page()).matches());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  String cookie() {
    return secret
        + BETWEEN
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(page.getBytes(StandardCharsets.US_ASCII));
  }

  /** The provider sends it back: an answer without it belongs to another sign-in. */
  String state() {
    return Secrets.derived("state", secret);
  }

  /** The ID token contains it: another one was issued for another sign-in. */
  String nonce() {
    return Secrets.derived("nonce", secret);
  }

  /** Redeems the code: who has only seen the code cannot (PKCE, RFC 7636). */
  String verifier() {
    return Secrets.derived("verifier", secret);
  }

  /** Contains no secret. */
  @Override
  public String toString() {
    return "sign-in for " + page;
  }
}
