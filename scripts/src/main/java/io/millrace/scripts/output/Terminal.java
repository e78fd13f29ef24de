package io.millrace.scripts.output;

import java.util.Map;
import java.util.Set;

/**
 * Which streams of the process a person looks at. Java 17 cannot tell of each; the script that
 * starts it can.
 *
 * @param out whether what is printed goes to a terminal
 * @param error whether the error stream does
 */
public record Terminal(boolean out, boolean error) {
  /** Set by {@code scripts/millrace}: {@code out}, {@code err}, both, or neither. */
  static final String VARIABLE = "MILLRACE_TERMINAL";

  /** The streams of this process. */
  public static Terminal ofThisProcess() {
    return of(System.getenv());
  }

  static Terminal of(Map<String, String> environment) {
    Set<String> named = Set.of(environment.getOrDefault(VARIABLE, "").split("[ ,]+", -1));
    return new Terminal(named.contains("out"), named.contains("err"));
  }
}
