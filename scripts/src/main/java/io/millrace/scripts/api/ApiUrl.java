package io.millrace.scripts.api;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a tracker's API is.
 *
 * @param base without a slash at its end
 */
public record ApiUrl(String base) {

  /** Where a tracker listens for operators unless it is told otherwise. */
  public static final String USUAL = "http://127.0.0.1:8081";

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException says what is wrong with it
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
      throw new IllegalArgumentException("'" + text + "' is more than scheme, host, port and path");
    }
    return new ApiUrl(uri.toString().replaceAll("/+$", ""));
  }

  private static String refusal(String text) {
    return "'" + text + "' is not a URL such as " + USUAL;
  }

  /** Where this path is. */
  URI at(ApiPath path) {
    return URI.create(base + path);
  }

  @Override
  public String toString() {
    return base;
  }
}
