package io.millrace.scripts.option.token;

import io.millrace.scripts.api.ApiClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The source of the token: a file, otherwise the environment. Never an argument, because every user
 * of the machine can read arguments in the process list.
 */
public final class TokenSource {
  /** The environment variable for the token of an application. */
  public static final String VARIABLE = "MILLRACE_TOKEN";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File that contains the token, for a tracker that needs one. Default: the"
              + " environment variable "
              + VARIABLE
              + ", if it is set.")
  private @Nullable Path file;

  private final Map<String, String> environment;

  /** Creates a source that reads the variable from the environment of the process. */
  public TokenSource() {
    this(System.getenv());
  }

  TokenSource(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Returns the token of an application, or empty if none was given.
   *
   * @throws io.millrace.scripts.BadInputException if the file cannot be read or contains no token
   */
  public Optional<String> token() {
    return TokenFile.orVariable(file, environment, VARIABLE);
  }

  /** Returns the token of an operator, which has a separate variable. */
  public Optional<String> operatorToken() {
    return TokenFile.orVariable(file, environment, ApiClient.TOKEN_VARIABLE);
  }
}
