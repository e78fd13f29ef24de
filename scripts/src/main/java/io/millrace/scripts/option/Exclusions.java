package io.millrace.scripts.option;

import io.millrace.scripts.BadInputException;
import picocli.CommandLine.Model.CommandSpec;

/** Checks for options that exclude one another. */
public final class Exclusions {
  private Exclusions() {}

  /**
   * Requires that no other option is given together with this one. Ignores default values.
   *
   * @param option the option that excludes the others
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
