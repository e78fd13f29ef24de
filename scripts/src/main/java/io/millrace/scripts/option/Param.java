package io.millrace.scripts.option;

/**
 * One parameter of a job.
 *
 * @param name the text before the first equals sign; not empty
 * @param value the text after it; may be empty and may contain further equals signs
 */
public record Param(String name, String value) {

  /**
   * Parses {@code name=value}.
   *
   * @throws IllegalArgumentException if there is no name
   */
  public static Param parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("'" + text + "' is not a parameter: use name=value");
    }
    return new Param(text.substring(0, equals), text.substring(equals + 1));
  }
}
