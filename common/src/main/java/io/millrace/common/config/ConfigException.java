package io.millrace.common.config;

import java.util.List;

/** A configuration that cannot be used, with everything that is wrong with it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  /**
   * @param source what the configuration was read from
   * @param problems at least one line each, naming the key and, where there is one, the line
   */
  public ConfigException(String source, List<String> problems) {
    super(source + " cannot be used:\n  " + String.join("\n  ", problems));
    this.problems = List.copyOf(problems);
  }

  /** What is wrong, each in one sentence. */
  public List<String> problems() {
    return problems;
  }
}
