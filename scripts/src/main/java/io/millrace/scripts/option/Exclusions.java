package io.millrace.scripts.option;

import io.millrace.scripts.BadInputException;
import picocli.CommandLine.Model.CommandSpec;

/** Options that contradict one another. */
public final class Exclusions {
  private Exclusions() {}

  /**
   * Looks at what was written, not at what holds by default.
   *
   * @param option what they are given beside
   * @throws BadInputException if one of the others was given
   */
  public static void require(CommandSpec command, String option, String... others) {
    for (String other : others) {
      if (command.commandLine().getParseResult().hasMatchedOption(other)) {
        throw new BadInputException(option + " and " + other + " exclude one another");
      }
    }
  }
}
