package io.millrace.console.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An answer other than a record written as JSON with the route's usual status.
 *
 * @param status HTTP status
 * @param mediaType of the content
 * @param content bytes, a {@link TextFile}, or a record to write as JSON; null for none
 * @param cookies the values of the headers Set-Cookie
 * @param tag the value of the header ETag, or null
 * @param location the value of the header Location, or null
 */
public record Reply(
    int status,
    String mediaType,
    @Nullable Object content,
    List<String> cookies,
    @Nullable String tag,
    @Nullable String location) {
  public static final String JSON = "application/json";
  public static final String TEXT = "text/plain; charset=utf-8";

  public static Reply created(Object record) {
    return of(201, record);
  }

  public static Reply nothing() {
    return new Reply(204, JSON, null, List.of(), null, null);
  }

  public static Reply text(String mediaType, String text) {
    return new Reply(200, mediaType, text.getBytes(StandardCharsets.UTF_8), List.of(), null, null);
  }

  public static Reply file(TextFile file) {
    return new Reply(200, TEXT, file, List.of(), null, null);
  }

  public static Reply of(int status, Object record) {
    return new Reply(status, JSON, record, List.of(), null, null);
  }

  /** Sends the browser to another address. */
  public static Reply redirect(String location) {
    return new Reply(302, TEXT, null, List.of(), null, location);
  }

  public Reply withCookie(String setCookie) {
    List<String> more = Stream.concat(cookies.stream(), Stream.of(setCookie)).toList();
    return new Reply(status, mediaType, content, more, tag, location);
  }

  public Reply withTag(String entityTag) {
    return new Reply(status, mediaType, content, cookies, entityTag, location);
  }
}
