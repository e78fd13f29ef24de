package io.millrace.scripts.option.convert;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.StoreSchema;
import io.millrace.scripts.api.ApiUrl;
import io.millrace.scripts.option.Param;
import io.millrace.scripts.option.TrackerAddresses;
import io.millrace.tasktracker.RunnerThreads;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Converts the text of options, by the type of the option. */
public final class Converters {
  private static final Pattern QUEUE = Pattern.compile("queue:(\\d{1,9})");

  private Converters() {}

  /** Registers the converters at a command line and its present subcommands. */
  public static CommandLine registerAt(CommandLine line) {
    register(line, ApiUrl.class, ApiUrl::parse);
    register(line, Duration.class, DurationText::parse);
    register(line, Instant.class, Converters::instant);
    register(line, Locale.class, Converters::language);
    register(line, MisfirePolicy.class, MisfireText::parse);
    register(line, OverlapPolicy.class, Converters::overlap);
    register(line, Param.class, Param::parse);
    register(line, TrackerAddresses.class, TrackerAddresses::parse);
    register(line, ZoneId.class, Converters::zone);
    registerNames(line, RunnerThreads.class, "a kind of thread: use auto, virtual or platform");
    registerNames(line, StoreSchema.Database.class, "h2 or mysql (use mysql for MariaDB too)");
    return line;
  }

  /**
   * Registers a converter.
   *
   * @param parse throws an IllegalArgumentException whose message names the text
   */
  public static <T> void register(CommandLine line, Class<T> type, Function<String, T> parse) {
    CommandLine unused =
        line.registerConverter(
            type,
            text -> {
              try {
                return parse.apply(text);
              } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
              }
            });
  }

  /** Requires an offset, because a local time depends on the time zone. */
  private static Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text.strip()).toInstant();
    } catch (DateTimeException e) {
      throw bad(
          text,
          "an instant: use ISO-8601 with Z or an offset, such as 2030-01-31T08:00:00Z or"
              + " 2030-01-31T16:00:00+08:00");
    }
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text.strip());
    } catch (DateTimeException e) {
      throw bad(text, "a time zone: use one such as Asia/Shanghai, UTC or +08:00");
    }
  }

  private static Locale language(String text) {
    return switch (normal(text)) {
      case "en" -> Locale.ENGLISH;
      case "zh" -> Locale.CHINESE;
      default -> throw bad(text, "a supported language: use en or zh");
    };
  }

  /** The tracker checks the queue limit. */
  private static OverlapPolicy overlap(String text) {
    Matcher queue = QUEUE.matcher(normal(text));
    if (queue.matches()) {
      return OverlapPolicy.queue(Integer.parseInt(queue.group(1)));
    }
    return switch (normal(text)) {
      case "allow" -> OverlapPolicy.allow();
      case "skip" -> OverlapPolicy.skip();
      default -> throw bad(text, "an overlap policy: use allow, skip or queue:N");
    };
  }

  /** Registers a converter of the names of an enum. */
  private static <E extends Enum<E>> void registerNames(
      CommandLine line, Class<E> type, String expected) {
    register(
        line,
        type,
        text ->
            Stream.of(type.getEnumConstants())
                .filter(value -> value.name().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> bad(text, expected)));
  }

  private static String normal(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }

  private static IllegalArgumentException bad(String text, String expected) {
    return new IllegalArgumentException("'" + text + "' is not " + expected);
  }
}
