package io.millrace.internal.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes: plain, or in units of 1024: {@code 64KiB}, {@code 1MiB}, {@code 2GiB}. */
final class ByteSizeText {
  private static final Pattern AMOUNT_AND_UNIT =
      Pattern.compile("([0-9]+)\\s*(B|KiB|MiB|GiB|TiB)?");

  /** Each 1024 times the one before it. */
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

  private ByteSizeText() {}

  static long parse(String text) {
    Matcher matcher = AMOUNT_AND_UNIT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be a number of bytes, such as 4096, 64KiB, 1MiB or 2GiB");
    }
    String unit = matcher.group(2);
    int power = unit == null ? 0 : UNITS.indexOf(unit);
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power));
    } catch (NumberFormatException | ArithmeticException tooLarge) {
      throw new IllegalArgumentException("must be less than 8 EiB", tooLarge);
    }
  }

  /** Writes the number in the largest unit that divides it exactly. */
  static String write(long bytes) {
    int power = 0;
    long amount = bytes;
    while (amount != 0 && amount % 1024 == 0 && power < UNITS.size() - 1) {
      amount /= 1024;
      power++;
    }
    return amount + UNITS.get(power);
  }
}
