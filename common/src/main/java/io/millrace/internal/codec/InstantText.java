package io.millrace.internal.codec;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Converts instants to ISO-8601 text and back, like {@link Instant#toString} and {@link
 * Instant#parse}. The usual form, with a four-digit year and up to nine fraction digits, has a fast
 * implementation: the general one was among the most expensive parts of a message. All other values
 * and errors use the general one.
 */
final class InstantText {
  private static final int SECONDS_END = 19;
  private static final int MAX_LENGTH = SECONDS_END + 1 + 9 + 1;

  /** 0000-01-01T00:00:00Z and 10000-01-01T00:00:00Z. */
  private static final long FIRST_SECOND = -62_167_219_200L;

  private static final long END_SECOND = 253_402_300_800L;

  private InstantText() {}

  static String format(Instant instant) {
    long second = instant.getEpochSecond();
    if (second < FIRST_SECOND || second >= END_SECOND) {
      return instant.toString();
    }
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, instant.getNano(), ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(MAX_LENGTH);
    digits(text, time.getYear(), 1_000);
    digits(text.append('-'), time.getMonthValue(), 10);
    digits(text.append('-'), time.getDayOfMonth(), 10);
    digits(text.append('T'), time.getHour(), 10);
    digits(text.append(':'), time.getMinute(), 10);
    digits(text.append(':'), time.getSecond(), 10);
    fraction(text, time.getNano());
    return text.append('Z').toString();
  }

  /** Appends three, six or nine digits, as few as are exact; none for a whole second. */
  private static void fraction(StringBuilder text, int nano) {
    if (nano == 0) {
      return;
    }
    text.append('.');
    if (nano % 1_000_000 == 0) {
      digits(text, nano / 1_000_000, 100);
    } else if (nano % 1_000 == 0) {
      digits(text, nano / 1_000, 100_000);
    } else {
      digits(text, nano, 100_000_000);
    }
  }

  private static void digits(StringBuilder text, int value, int highest) {
    for (int place = highest; place > 0; place /= 10) {
      text.append((char) ('0' + value / place % 10));
    }
  }

  /**
   * Reads an instant.
   *
   * @throws DateTimeException if the text is not an instant
   */
  static Instant parse(String text) {
    if (isOfUsualShape(text)) {
      try {
        return LocalDateTime.of(
                number(text, 0, 4),
                number(text, 5, 7),
                number(text, 8, 10),
                number(text, 11, 13),
                number(text, 14, 16),
                number(text, 17, SECONDS_END),
                nano(text))
            .toInstant(ZoneOffset.UTC);
      } catch (DateTimeException unusual) {
        // Not a digit, or beyond the range: the general implementation decides.
      }
    }
    return Instant.parse(text);
  }

  private static boolean isOfUsualShape(String text) {
    int length = text.length();
    return length > SECONDS_END
        && length <= MAX_LENGTH
        && text.charAt(4) == '-'
        && text.charAt(7) == '-'
        && text.charAt(10) == 'T'
        && text.charAt(13) == ':'
        && text.charAt(16) == ':'
        && text.charAt(length - 1) == 'Z'
        && number(text, 0, 4) >= 0;
  }

  /** The fraction of the second in nanoseconds; negative if the text has no valid fraction. */
  private static int nano(String text) {
    int end = text.length() - 1;
    if (end == SECONDS_END) {
      return 0;
    }
    int nano = text.charAt(SECONDS_END) == '.' ? number(text, SECONDS_END + 1, end) : -1;
    for (int digits = end - SECONDS_END - 1; digits < 9; digits++) {
      nano *= 10;
    }
    return end == SECONDS_END + 1 ? -1 : nano;
  }

  /** The number at these positions; -1 if there is anything but digits. */
  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
