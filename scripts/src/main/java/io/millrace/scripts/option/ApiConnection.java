package io.millrace.scripts.option;

import io.millrace.scripts.api.ApiUrl;
import io.millrace.scripts.option.token.OperatorTokenSource;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for the connection to a tracker's API. */
public final class ApiConnection {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:MILLRACE_URL:-" + ApiUrl.USUAL + "}",
      description =
          "URL at which a tracker listens for operators; from the environment variable"
              + " MILLRACE_URL if it is set. Default: ${DEFAULT-VALUE}.")
  private ApiUrl url = ApiUrl.parse(ApiUrl.USUAL);

  @Mixin private OperatorTokenSource tokenSource = new OperatorTokenSource();

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "With an https URL: trust only the certificate authorities in this PEM file,"
              + " instead of those of Java.")
  private @Nullable Path authorities;

  @Option(
      names = "--wait",
      paramLabel = "DUR",
      defaultValue = "30s",
      description = "How long to wait for the answer. Default: ${DEFAULT-VALUE}.")
  private Duration patience = Duration.ofSeconds(30);

  /**
   * Creates the operator for the command that has these options, whose output is its own.
   *
   * @throws io.millrace.scripts.BadInputException if a file cannot be read
   */
  public Operator operator() {
    return operator(command, false);
  }

  /**
   * Creates the operator for a command that has these options in a mixin of its own.
   *
   * @param json whether the output is for programs
   */
  Operator operator(CommandSpec outer, boolean json) {
    return Operator.at(
        url, tokenSource.token().orElse(null), authorities, patience, outer.commandLine(), json);
  }
}
