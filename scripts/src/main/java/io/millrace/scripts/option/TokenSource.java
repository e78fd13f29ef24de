package io.millrace.scripts.option;

import io.millrace.scripts.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where the token comes from: a file, otherwise the environment. Never an argument, which every
 * user of the machine could read in the process list.
 */
public final class TokenSource {
  private static final String VARIABLE = "MILLRACE_TOKEN";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File whose content is the token, for a tracker that asks for one."
              + " Without it, the environment variable "
              + VARIABLE
              + " is used if it is set.")
  private @Nullable Path file;

  private final Map<String, String> environment;

  /** Reads the variable from the environment of the process. */
  public TokenSource() {
    this(System.getenv());
  }

  TokenSource(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * The token, or empty if none was given.
   *
   * @throws BadInputException if the file cannot be read or holds no token
   */
  public Optional<String> token() {
    if (file != null) {
      return Optional.of(read(file));
    }
    return Optional.ofNullable(environment.get(VARIABLE))
        .map(String::strip)
        .filter(t -> !t.isEmpty());
  }

  private static String read(Path file) {
    String token;
    try {
      token = Files.readString(file, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new BadInputException("--token-file " + file + " cannot be read: " + reason(e), e);
    }
    if (token.isEmpty()) {
      throw new BadInputException("--token-file " + file + " is empty");
    }
    return token;
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " " + e.getMessage());
  }
}
