package io.millrace.console.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How to parse the text of a parameter, and how the OpenAPI document describes it. Immutable.
 *
 * @param type of the JSON schema
 * @param format of the JSON schema, or null
 * @param choices the allowed texts; empty for any
 * @param lowest the least number, or the fewest characters of a text; null if unbounded
 * @param highest the greatest number, or the most characters of a text; null if unbounded
 * @param reader parses a text; throws an {@link IllegalArgumentException} that says what is allowed
 */
public record ParamForm<T>(
    String type,
    @Nullable String format,
    List<String> choices,
    @Nullable Long lowest,
    @Nullable Long highest,
    Function<String, T> reader) {

  /** Any text of 1 to maxChars characters. */
  public static ParamForm<String> text(int maxChars) {
    return new ParamForm<>(
        "string",
        null,
        List.of(),
        1L,
        (long) maxChars,
        text -> {
          if (text.isEmpty() || text.length() > maxChars) {
            throw new IllegalArgumentException("must have 1 to " + maxChars + " characters");
          }
          return text;
        });
  }

  /** An integer within bounds, both included. */
  public static ParamForm<Integer> integer(int lowest, int highest) {
    String bounds = "must be an integer from " + lowest + " to " + highest;
    return new ParamForm<>(
        "integer",
        "int32",
        List.of(),
        (long) lowest,
        (long) highest,
        text -> {
          try {
            int value = Integer.parseInt(text);
            if (value >= lowest && value <= highest) {
              return value;
            }
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException(bounds, e);
          }
          throw new IllegalArgumentException(bounds);
        });
  }

  /** An id: a positive 64-bit number in decimal digits. */
  public static ParamForm<Long> id() {
    return new ParamForm<>(
        "string",
        "id",
        List.of(),
        1L,
        19L,
        text -> {
          try {
            long value = Long.parseLong(text);
            if (value > 0 && text.charAt(0) != '+') {
              return value;
            }
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be an id: a positive 64-bit number", e);
          }
          throw new IllegalArgumentException("must be an id: a positive 64-bit number");
        });
  }

  /** An instant in ISO 8601, with Z or an offset. */
  public static ParamForm<Instant> instant() {
    return new ParamForm<>(
        "string",
        "date-time",
        List.of(),
        null,
        null,
        text -> {
          try {
            return java.time.OffsetDateTime.parse(text).toInstant();
          } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                "must be an instant such as 2030-01-31T12:00:00Z", e);
          }
        });
  }

  /** True or false. */
  public static ParamForm<Boolean> flag() {
    return new ParamForm<>(
        "boolean",
        null,
        List.of(),
        null,
        null,
        text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("must be true or false");
            });
  }

  /** One of the names of an enum, in any case. */
  public static <E extends Enum<E>> ParamForm<E> choice(Class<E> of) {
    List<String> names = Arrays.stream(of.getEnumConstants()).map(Enum::name).toList();
    return new ParamForm<>(
        "string",
        null,
        names,
        null,
        null,
        text -> {
          String name = text.toUpperCase(Locale.ROOT);
          if (!names.contains(name)) {
            throw new IllegalArgumentException("must be one of " + String.join(", ", names));
          }
          return Enum.valueOf(of, name);
        });
  }
}
