package io.millrace.scripts.option;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for the connection to a tracker's API and for the output. */
public final class ApiOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Mixin private ApiConnection connection = new ApiConnection();

  @Option(names = "--json", description = "Print the answer of the API unchanged.")
  private boolean json;

  /**
   * Creates the operator for the command that has these options.
   *
   * @throws io.millrace.scripts.BadInputException if a file cannot be read
   */
  public Operator operator() {
    return operator(command);
  }

  /** Creates the operator for a command that has these options in a mixin of its own. */
  Operator operator(CommandSpec outer) {
    return connection.operator(outer, json);
  }

  /**
   * Requires that these options are unused, because the command asks no tracker.
   *
   * @param option the option because of which it asks none
   * @throws io.millrace.scripts.BadInputException if one of these options is given
   */
  public void requireUnused(String option) {
    Exclusions.require(command, option, "--url", "--token-file", "--tls-ca", "--wait");
  }
}
