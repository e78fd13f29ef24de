package io.millrace.scripts.option.token;

import io.millrace.scripts.api.ApiClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The source of an operator's token: a file, otherwise the environment. Never an argument. */
public final class OperatorTokenSource {

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File that contains the operator's token. Default: the environment variable "
              + ApiClient.TOKEN_VARIABLE
              + ".")
  private @Nullable Path file;

  private final Map<String, String> environment;

  /** Creates a source that reads the variable from the environment of the process. */
  public OperatorTokenSource() {
    this(System.getenv());
  }

  OperatorTokenSource(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Returns the token, or empty if none was given.
   *
   * @throws io.millrace.scripts.BadInputException if the file cannot be read or contains no token
   */
  public Optional<String> token() {
    return TokenFile.orVariable(file, environment, ApiClient.TOKEN_VARIABLE);
  }
}
