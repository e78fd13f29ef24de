package io.millrace.scripts.option.convert;

import io.millrace.api.MisfirePolicy;
import java.util.Locale;

/**
 * Reads misfire policies: a word and its parameters. The tracker checks the range of the values.
 */
final class MisfireText {
  private static final String EXPECTED =
      "use none, latest or all, followed, with commas, by window=DUR, cap=N (with all) or"
          + " after-pause";
  private static final String WINDOW = "window=";
  private static final String CAP = "cap=";
  private static final String AFTER_PAUSE = "after-pause";

  private MisfireText() {}

  /**
   * Reads a policy.
   *
   * @throws IllegalArgumentException naming the text if it is none
   */
  static MisfirePolicy parse(String value) {
    String[] parts = value.strip().toLowerCase(Locale.ROOT).split(",", -1);
    MisfirePolicy policy = kind(parts[0].strip(), value);
    for (int i = 1; i < parts.length; i++) {
      policy = narrowed(policy, parts[i].strip(), value);
    }
    return policy;
  }

  private static MisfirePolicy kind(String word, String value) {
    return switch (word) {
      case "none" -> MisfirePolicy.none();
      case "latest" -> MisfirePolicy.latest();
      case "all" -> MisfirePolicy.all();
      default -> throw bad(value, "is not a misfire policy: " + EXPECTED);
    };
  }

  private static MisfirePolicy narrowed(MisfirePolicy policy, String part, String value) {
    if (policy.kind() == MisfirePolicy.Kind.NONE) {
      throw bad(value, "has options, which none does not allow: " + EXPECTED);
    }
    if (part.startsWith(WINDOW)) {
      return policy.within(DurationText.parse(part.substring(WINDOW.length())));
    }
    if (part.startsWith(CAP)) {
      return policy.atMost(cap(policy, part, value));
    }
    if (part.equals(AFTER_PAUSE)) {
      return policy.alsoAfterPause();
    }
    throw bad(value, "has the unknown option '" + part + "': " + EXPECTED);
  }

  private static int cap(MisfirePolicy policy, String part, String value) {
    if (policy.kind() != MisfirePolicy.Kind.ALL) {
      throw bad(value, "has a cap, which is allowed only with all");
    }
    try {
      return Integer.parseInt(part.substring(CAP.length()));
    } catch (NumberFormatException e) {
      throw bad(value, "has the option '" + part + "', whose value is not a number");
    }
  }

  private static IllegalArgumentException bad(String value, String why) {
    return new IllegalArgumentException("'" + value + "' " + why);
  }
}
