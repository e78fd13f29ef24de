package io.millrace.jobtracker.console.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is more than a record to be written as JSON with status 200.
 *
 * @param status HTTP status
 * @param mediaType of the content
 * @param content the bytes, or a record to be written as JSON; null for none
 * @param cookie a value of the header Set-Cookie, or null
 */
public record Reply(
    int status, String mediaType, @Nullable Object content, @Nullable String cookie) {
  public static final String JSON = "application/json";

  public static Reply created(Object record) {
    return new Reply(201, JSON, record, null);
  }

  public static Reply nothing() {
    return new Reply(204, JSON, null, null);
  }

  public static Reply text(String mediaType, String text) {
    return new Reply(200, mediaType, text.getBytes(StandardCharsets.UTF_8), null);
  }

  public static Reply of(int status, Object record) {
    return new Reply(status, JSON, record, null);
  }

  public Reply withCookie(String setCookie) {
    return new Reply(status, mediaType, content, setCookie);
  }
}
