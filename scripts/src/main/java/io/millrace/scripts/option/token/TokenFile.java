package io.millrace.scripts.option.token;

import io.millrace.scripts.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a token that is not given as an argument. */
final class TokenFile {
  private TokenFile() {}

  /**
   * Returns the content of the file, otherwise that of the variable; empty if neither is set.
   *
   * @throws BadInputException if the file cannot be read or contains no token
   */
  static Optional<String> orVariable(
      @Nullable Path file, Map<String, String> environment, String variable) {
    if (file != null) {
      return Optional.of(read(file));
    }
    return Optional.ofNullable(environment.get(variable))
        .map(String::strip)
        .filter(token -> !token.isEmpty());
  }

  private static String read(Path file) {
    String token;
    try {
      token = Files.readString(file, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new BadInputException("--token-file " + file + " cannot be read: " + reason(e), e);
    }
    BadInputException.unless(!token.isEmpty(), "--token-file " + file + " is empty");
    return token;
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " " + e.getMessage());
  }
}
