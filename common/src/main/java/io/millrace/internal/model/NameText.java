package io.millrace.internal.model;

import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule for texts that are shown in tables, logs and lists: task ids, handlers, submission ids,
 * names of parameters and of exceptions. Every character must be visible: no control character,
 * none of Unicode's category Cf (invisible, or changes the writing direction), no line or paragraph
 * separator, no half of a surrogate pair.
 */
public final class NameText {
  private NameText() {}

  /** What is wrong with the text, such as "U+202E at position 3"; null if nothing is. */
  public static @Nullable String faultOf(String text) {
    return faultOf(text, NameText::isVisible);
  }

  /**
   * The same as {@link #faultOf}, for texts that may contain any character that can be encoded:
   * only half of a surrogate pair is a fault.
   */
  public static @Nullable String faultOfContent(String text) {
    return faultOf(text, character -> Character.getType(character) != Character.SURROGATE);
  }

  private static @Nullable String faultOf(String text, IntPredicate allowed) {
    for (int i = 0; i < text.length(); ) {
      if (isVisibleAscii(text.charAt(i))) {
        i++; // allowed by both rules, and nearly all characters are
        continue;
      }
      int c = text.codePointAt(i);
      if (!allowed.test(c)) {
        return String.format(Locale.ROOT, "U+%04X at position %d", c, i);
      }
      i += Character.charCount(c);
    }
    return null;
  }

  private static boolean isVisibleAscii(char c) {
    return c >= ' ' && c < 0x7f;
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
