package io.millrace.console.api;

import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.order.Direction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The end of a page, as an opaque text. A text that no page returned is rejected.
 *
 * @param parts the values that identify the place
 */
public record Cursor(List<String> parts) {
  private static final String SEPARATOR = "\u0000";

  /** Encodes a place with these parts. */
  public static String of(Object... parts) {
    String text = Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining(SEPARATOR));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Decodes a text into a place with this number of parts; throws a problem if it is malformed. */
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

  /** Encodes the place of a trigger among those of its task id. */
  public static String of(TriggerKey key) {
    return of(key.plannedAt(), key.ordinal());
  }

  /** Decodes the place of a trigger among those of a task id; the beginning for null. */
  public static TriggerKey readKey(@Nullable String text, String task) {
    return readKey(text, task, Direction.ASCENDING);
  }

  /** As {@link #readKey(String, String)}, in either direction. */
  public static TriggerKey readKey(@Nullable String text, String task, Direction direction) {
    if (text == null) {
      return direction == Direction.ASCENDING
          ? new TriggerKey(task, 0, -1)
          : new TriggerKey(task, Long.MAX_VALUE, Integer.MAX_VALUE);
    }
    Cursor place = read(text, 2);
    return new TriggerKey(task, place.number(0), place.count(1));
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

  /** A part as a number, clamped to 32 bits. */
  public int count(int index) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number(index)));
  }

  private static RuntimeException malformed() {
    return Kind.BAD_REQUEST.because("the query parameter 'after' must be the 'next' of a page");
  }
}
