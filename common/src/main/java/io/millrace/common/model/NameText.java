package io.millrace.common.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one rule of what texts may hold that stand in tables, logs and lists beside others: task ids,
 * handlers, submission ids, names of parameters and of exceptions. Each character is one that
 * people see: no control character, none of Unicode's category Cf (which hides, or turns the
 * writing direction), no separator of lines or paragraphs, no half of a surrogate pair.
 */
public final class NameText {
  private NameText() {}

  /** What is wrong with the text, such as "U+202E at position 3"; null if nothing is. */
  public static @Nullable String faultOf(String text) {
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (!isVisible(c)) {
        return fault(c, i);
      }
      i += Character.charCount(c);
    }
    return null;
  }

  /**
   * As {@link #faultOf}, for texts that may hold anything that can be stored: no half of a
   * surrogate pair, which no encoding has.
   */
  public static @Nullable String faultOfContent(String text) {
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (Character.getType(c) == Character.SURROGATE) {
        return fault(c, i);
      }
      i += Character.charCount(c);
    }
    return null;
  }

  private static String fault(int character, int position) {
    return String.format(Locale.ROOT, "U+%04X at position %d", character, position);
  }

  private static boolean isVisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
