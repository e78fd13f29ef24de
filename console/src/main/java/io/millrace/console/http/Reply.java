package io.millrace.console.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer other than a record written as JSON with the route's usual status.
 *
 * @param status HTTP status
 * @param mediaType of the content
 * @param content bytes, a {@link TextFile}, or a record to write as JSON; null for none
 * @param cookie the value of the header Set-Cookie, or null
 * @param tag the value of the header ETag, or null
 */
public record Reply(
    int status,
    String mediaType,
    @Nullable Object content,
    @Nullable String cookie,
    @Nullable String tag) {
  public static final String JSON = "application/json";
  public static final String TEXT = "text/plain; charset=utf-8";

  public static Reply created(Object record) {
    return of(201, record);
  }

  public static Reply nothing() {
    return new Reply(204, JSON, null, null, null);
  }

  public static Reply text(String mediaType, String text) {
    return new Reply(200, mediaType, text.getBytes(StandardCharsets.UTF_8), null, null);
  }

  public static Reply file(TextFile file) {
    return new Reply(200, TEXT, file, null, null);
  }

  public static Reply of(int status, Object record) {
    return new Reply(status, JSON, record, null, null);
  }

  public Reply withCookie(String setCookie) {
    return new Reply(status, mediaType, content, setCookie, tag);
  }

  public Reply withTag(String entityTag) {
    return new Reply(status, mediaType, content, cookie, entityTag);
  }
}
