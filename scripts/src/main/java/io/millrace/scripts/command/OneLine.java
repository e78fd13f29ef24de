package io.millrace.scripts.command;

/** Texts from elsewhere, made fit for one line of a terminal. */
final class OneLine {
  private OneLine() {}

  /** The text, with a blank in the place of line ends and other control characters. */
  static String of(String text) {
    return text.strip().replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
  }
}
