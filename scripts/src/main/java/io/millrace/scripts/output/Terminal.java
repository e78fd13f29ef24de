package io.millrace.scripts.output;

import java.util.Map;
import java.util.Set;

/**
 * Which streams of the process are terminals. Java 17 cannot detect this for each stream; the
 * script that starts the process can.
 *
 * @param in whether the input stream is a terminal
 * @param out whether the output stream is a terminal
 * @param error whether the error stream is a terminal
 */
public record Terminal(boolean in, boolean out, boolean error) {
  /**
   * Set by {@code scripts/millrace}: {@code in}, {@code out}, {@code err}, several of them, or
   * none.
   */
  static final String VARIABLE = "MILLRACE_TERMINAL";

  /** Returns the terminals of this process. */
  public static Terminal ofThisProcess() {
    return of(System.getenv());
  }

  static Terminal of(Map<String, String> environment) {
    Set<String> named = Set.of(environment.getOrDefault(VARIABLE, "").split("[ ,]+", -1));
    return new Terminal(named.contains("in"), named.contains("out"), named.contains("err"));
  }
}
