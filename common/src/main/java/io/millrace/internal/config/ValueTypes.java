package io.millrace.internal.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The types of values in a configuration. */
public final class ValueTypes {
  /** Any text. */
  public static final ValueType<String> STRING =
      new ValueType<>("string", Function.identity(), Function.identity(), "");

  /** {@code true} or {@code false}, in any case. */
  public static final ValueType<Boolean> BOOLEAN =
      new ValueType<>("boolean", ValueTypes::parseBoolean, String::valueOf, false);

  /** A whole number of 32 bits. */
  public static final ValueType<Integer> INTEGER =
      new ValueType<>("integer", ValueTypes::parseInteger, String::valueOf, 0);

  /** A whole number of 64 bits. */
  public static final ValueType<Long> LONG =
      new ValueType<>("long", ValueTypes::parseLong, String::valueOf, 0L);

  /** {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d} or ISO-8601; never negative. */
  public static final ValueType<Duration> DURATION =
      new ValueType<>("duration", DurationText::parse, DurationText::write, Duration.ZERO);

  /** A number of bytes: {@code 4096}, {@code 64KiB}, {@code 1MiB}, {@code 2GiB}. */
  public static final ValueType<Long> BYTE_SIZE =
      new ValueType<>("byte size", ByteSizeText::parse, ByteSizeText::write, 0L);

  /** A path of the file system. */
  public static final ValueType<Path> PATH =
      new ValueType<>("path", ValueTypes::parsePath, Path::toString, Path.of(""));

  /** A value that is never shown. */
  public static final ValueType<Secret> SECRET =
      new ValueType<>("secret", Secret::of, Secret::toString, Secret.of("unset"), true);

  private ValueTypes() {}

  /** One of the constants, in upper or lower case, with {@code -} or {@code _} between words. */
  public static <E extends Enum<E>> ValueType<E> enumOf(Class<E> type) {
    List<E> constants = List.of(type.getEnumConstants());
    String names = constants.stream().map(ValueTypes::write).collect(Collectors.joining(", "));
    return new ValueType<>(
        "one of " + names,
        text ->
            constants.stream()
                .filter(constant -> write(constant).equalsIgnoreCase(text.replace('_', '-')))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of " + names)),
        ValueTypes::write,
        constants.get(0));
  }

  /** One or more values, separated by commas. */
  public static <T> ValueType<List<T>> listOf(ValueType<T> element) {
    return new ValueType<>(
        "list of " + element.name(),
        text -> parseList(text, element),
        values -> values.stream().map(element.writer()).collect(Collectors.joining(",")),
        List.of(),
        element.hidden());
  }

  /** The same type, for values within these bounds only. */
  public static <T extends Comparable<T>> ValueType<T> bounded(
      ValueType<T> type, Bounds<T> bounds) {
    return new ValueType<>(
        type.name(),
        text -> {
          T value = type.parser().apply(text);
          if (!bounds.include(value)) {
            throw new IllegalArgumentException("must be " + bounds.describe(type.writer()));
          }
          return value;
        },
        type.writer(),
        type.placeholder(),
        type.hidden());
  }

  private static <T> List<T> parseList(String text, ValueType<T> element) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).map(element.parser()).toList();
  }

  private static String write(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }

  private static int parseInteger(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException(
          "must be a whole number between " + Integer.MIN_VALUE + " and " + Integer.MAX_VALUE,
          notANumber);
    }
  }

  private static long parseLong(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException("must be a whole number of 64 bits", notANumber);
    }
  }

  private static Path parsePath(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must be a path");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException("must be a path: " + invalid.getReason(), invalid);
    }
  }
}
