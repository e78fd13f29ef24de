package io.millrace.console.http;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How to parse the text of a parameter, and how the OpenAPI document describes it. Immutable.
 *
 * @param type of the JSON schema; of an array, its elements are texts with commas between them
 * @param format of the JSON schema, or null
 * @param choices the allowed texts; empty for any
 * @param lowest the least number, or the fewest characters of a text; null if unbounded
 * @param highest the greatest number, or the most characters of a text; null if unbounded
 * @param allowed says which texts are valid, such as "must be en or zh"
 * @param reader parses a text; returns null or throws a number or time format exception for one
 *     that is not valid
 */
public record ParamForm<T>(
    String type,
    @Nullable String format,
    List<String> choices,
    @Nullable Long lowest,
    @Nullable Long highest,
    String allowed,
    Function<String, @Nullable T> reader) {

  /** The type of lists. */
  public static final String ARRAY = "array";

  /** Any text of 1 to maxChars characters. */
  public static ParamForm<String> text(int maxChars) {
    return new ParamForm<>(
        "string",
        null,
        List.of(),
        1L,
        (long) maxChars,
        "must have 1 to " + maxChars + " characters",
        text -> text.isEmpty() || text.length() > maxChars ? null : text);
  }

  /** An integer within bounds, both included. */
  public static ParamForm<Integer> integer(int lowest, int highest) {
    return new ParamForm<>(
        "integer",
        "int32",
        List.of(),
        (long) lowest,
        (long) highest,
        "must be an integer from " + lowest + " to " + highest,
        text -> {
          Integer value = Integer.valueOf(text);
          return value < lowest || value > highest ? null : value;
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
        "must be an id: a positive 64-bit number",
        text -> {
          Long value = Long.valueOf(text);
          return value <= 0 || text.charAt(0) == '+' ? null : value;
        });
  }

  /** An instant in ISO 8601, with Z or an offset. */
  public static ParamForm<Instant> instant() {
    return text(
        "date-time",
        List.of(),
        "must be an instant such as 2030-01-31T12:00:00Z",
        text -> OffsetDateTime.parse(text).toInstant());
  }

  /** True or false. */
  public static ParamForm<Boolean> flag() {
    return new ParamForm<>(
        "boolean",
        null,
        List.of(),
        null,
        null,
        "must be true or false",
        text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> null;
            });
  }

  /** One of the names of an enum, in any case. */
  public static <E extends Enum<E>> ParamForm<E> choice(Class<E> of) {
    List<String> names = Arrays.stream(of.getEnumConstants()).map(Enum::name).toList();
    Function<String, @Nullable E> reader =
        text -> {
          String name = text.toUpperCase(Locale.ROOT);
          return names.contains(name) ? Enum.valueOf(of, name) : null;
        };
    return text(null, names, "must be one of " + String.join(", ", names), reader);
  }

  /** One or several names of an enum, in any case, with commas between them. */
  public static <E extends Enum<E>> ParamForm<Set<E>> choices(Class<E> of) {
    ParamForm<E> one = choice(of);
    Function<String, @Nullable Set<E>> reader =
        text -> {
          EnumSet<E> chosen = EnumSet.noneOf(of);
          for (String name : text.split(",", -1)) {
            E value = one.reader().apply(name);
            if (value == null) {
              return null;
            }
            chosen.add(value);
          }
          return chosen;
        };
    return new ParamForm<>(
        ARRAY,
        null,
        one.choices(),
        null,
        null,
        "must be one or several of " + String.join(", ", one.choices()) + ", with commas between",
        reader);
  }

  /** A text without bounds on its length. */
  public static <T> ParamForm<T> text(
      @Nullable String format,
      List<String> choices,
      String allowed,
      Function<String, @Nullable T> reader) {
    return new ParamForm<>("string", format, choices, null, null, allowed, reader);
  }
}
