package io.millrace.internal.config;

import java.util.List;

/** Thrown for a configuration that cannot be used; lists all problems. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  /**
   * Makes an exception.
   *
   * @param source what the configuration was read from
   * @param problems one sentence each, naming the key and, if there is one, the line
   */
  public ConfigException(String source, List<String> problems) {
    super(source + " is invalid:\n  " + String.join("\n  ", problems));
    this.problems = List.copyOf(problems);
  }

  /** The problems, one sentence each. */
  public List<String> problems() {
    return problems;
  }
}
