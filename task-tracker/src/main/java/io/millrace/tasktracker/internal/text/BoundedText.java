package io.millrace.tasktracker.internal.text;

/** Cuts text to a number of characters. */
public final class BoundedText {
  private static final String CUT = "…";

  private BoundedText() {}

  /**
   * Returns the text, or as much of its beginning as fits together with a mark at the end. Splits
   * no character.
   */
  public static String cut(String text, int maxChars) {
    if (text.length() <= maxChars) {
      return text;
    }
    int end = maxChars - CUT.length();
    if (Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + CUT;
  }
}
