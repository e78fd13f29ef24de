package io.millrace.scripts.api;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The base URL of a tracker's API.
 *
 * @param base the URL without a trailing slash
 */
public record ApiUrl(String base) {

  /** The URL at which a tracker serves its API by default. */
  public static final String USUAL = "http://127.0.0.1:8081";

  /**
   * Parses a URL.
   *
   * @throws IllegalArgumentException if the URL is invalid; the message gives the reason
   */
  public static ApiUrl parse(String text) {
    URI uri;
    try {
      uri = new URI(text.strip());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(refusal(text), e);
    }
    boolean http = "http".equalsIgnoreCase(uri.getScheme());
    boolean https = "https".equalsIgnoreCase(uri.getScheme());
    if ((!http && !https) || uri.getHost() == null) {
      throw new IllegalArgumentException(refusal(text));
    }
    if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "'" + text + "' must have only scheme, host, port and path");
    }
    return new ApiUrl(uri.toString().replaceAll("/+$", ""));
  }

  private static String refusal(String text) {
    return "'" + text + "' is not a URL such as " + USUAL;
  }

  /** Resolves a path against this URL. */
  URI at(ApiPath path) {
    return URI.create(base + path);
  }

  @Override
  public String toString() {
    return base;
  }
}
