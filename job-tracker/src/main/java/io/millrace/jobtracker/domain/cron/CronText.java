package io.millrace.jobtracker.domain.cron;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A cron text split into its parts, each with its position in the text. A nickname stands for the
 * parts of a Unix expression, all at the nickname's position.
 */
final class CronText {
  static final int MAX_LENGTH = 256;
  private static final String WHOLE = "expression";

  private static final Map<String, List<String>> NICKNAMES =
      Map.of(
          "@yearly", List.of("0", "0", "1", "1", "*"),
          "@annually", List.of("0", "0", "1", "1", "*"),
          "@monthly", List.of("0", "0", "1", "*", "*"),
          "@weekly", List.of("0", "0", "*", "*", "0"),
          "@daily", List.of("0", "0", "*", "*", "*"),
          "@midnight", List.of("0", "0", "*", "*", "*"),
          "@hourly", List.of("0", "*", "*", "*", "*"));

  /** Text between white space, in upper case, and the position where it begins. */
  record Part(String text, int position) {}

  private CronText() {}

  static List<Part> parts(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new InvalidScheduleException(
          WHOLE, MAX_LENGTH, "longer than " + MAX_LENGTH + " characters");
    }
    List<Part> parts = split(text);
    if (parts.size() == 1 && parts.get(0).text().startsWith("@")) {
      return expand(parts.get(0));
    }
    if (parts.size() < 5) {
      throw new InvalidScheduleException(
          WHOLE, text.length(), "has " + parts.size() + " fields; takes 5, 6 or 7");
    }
    if (parts.size() > 7) {
      throw new InvalidScheduleException(
          WHOLE, parts.get(7).position(), "has " + parts.size() + " fields; takes 5, 6 or 7");
    }
    return parts;
  }

  private static List<Part> split(String text) {
    List<Part> parts = new ArrayList<>();
    int begin = -1;
    for (int i = 0; i <= text.length(); i++) {
      boolean inside = i < text.length() && !Character.isWhitespace(text.charAt(i));
      if (inside && begin < 0) {
        begin = i;
      } else if (!inside && begin >= 0) {
        parts.add(new Part(text.substring(begin, i).toUpperCase(Locale.ROOT), begin));
        begin = -1;
      }
    }
    return parts;
  }

  private static List<Part> expand(Part nickname) {
    List<String> fields = NICKNAMES.get(nickname.text().toLowerCase(Locale.ROOT));
    if (fields == null) {
      throw new InvalidScheduleException(
          WHOLE,
          nickname.position(),
          "unknown nickname; use @yearly, @annually, @monthly, @weekly, @daily, @midnight or"
              + " @hourly");
    }
    return fields.stream().map(field -> new Part(field, nickname.position())).toList();
  }
}
