package io.millrace.jobtracker.domain.cron;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Describes a set of numbers in words; different sets get different words.
 *
 * @param words the language
 */
record CronNumbers(CronWords words) {
  private static final int LONGEST_LIST = 16;
  private static final int SHORTEST_PROGRESSION = 5;
  private static final int SHORTEST_RANGE = 3;

  /**
   * The numbers of a field as ranges and single numbers; if that list is too long to read, the text
   * of the field.
   */
  String describe(CronFieldValue field) {
    BitSet numbers = field.numbers();
    String text = describe(numbers, String::valueOf);
    return runs(numbers, String::valueOf).size() > LONGEST_LIST && !isProgression(numbers)
        ? "\"" + field.part().text() + "\""
        : text;
  }

  /** Describes at least one number, each by its name. */
  String describe(BitSet numbers, IntFunction<String> name) {
    if (isProgression(numbers)) {
      int first = numbers.nextSetBit(0);
      return words.say(
          "progression",
          name.apply(first),
          name.apply(numbers.nextSetBit(first + 1)),
          name.apply(numbers.length() - 1));
    }
    return words.list(runs(numbers, name));
  }

  private List<String> runs(BitSet numbers, IntFunction<String> name) {
    List<String> runs = new ArrayList<>();
    for (int from = numbers.nextSetBit(0); from >= 0; ) {
      int end = numbers.nextClearBit(from);
      if (end - from >= SHORTEST_RANGE) {
        runs.add(words.say("range", name.apply(from), name.apply(end - 1)));
      } else {
        for (int n = from; n < end; n++) {
          runs.add(name.apply(n));
        }
      }
      from = numbers.nextSetBit(end);
    }
    return runs;
  }

  /** Whether the numbers lie at equal distances greater than one. */
  private static boolean isProgression(BitSet numbers) {
    int first = numbers.nextSetBit(0);
    int step = numbers.nextSetBit(first + 1) - first;
    if (numbers.cardinality() < SHORTEST_PROGRESSION || step < 2) {
      return false;
    }
    int last = numbers.length() - 1;
    boolean even = (last - first) % step == 0 && (last - first) / step == numbers.cardinality() - 1;
    for (int n = first; even && n <= last; n += step) {
      even = numbers.get(n);
    }
    return even;
  }
}
