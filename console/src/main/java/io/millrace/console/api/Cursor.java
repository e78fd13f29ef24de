package io.millrace.console.api;

import io.millrace.console.http.Problem.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a page ends, as an opaque text. Whoever sends one that no page gave is refused.
 *
 * @param parts what the place consists of
 */
public record Cursor(List<String> parts) {
  private static final String SEPARATOR = "\u0000";

  /** A place that consists of these parts. */
  public static String of(Object... parts) {
    String text = Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining(SEPARATOR));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The place that a text stands for, which has so many parts. */
  public static Cursor read(String text, int count) {
    try {
      String read = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      List<String> parts = List.of(read.split(SEPARATOR, -1));
      if (parts.size() == count) {
        return new Cursor(parts);
      }
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
    throw malformed();
  }

  public String text(int index) {
    return parts.get(index);
  }

  public long number(int index) {
    try {
      return Long.parseLong(parts.get(index));
    } catch (NumberFormatException e) {
      throw malformed();
    }
  }

  /** A number that stands for something of no more than 32 bits. */
  public int count(int index) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number(index)));
  }

  private static RuntimeException malformed() {
    return Kind.BAD_REQUEST.because("the query's after is not what a page gave as next");
  }
}
