package io.millrace.scripts.option;

import io.millrace.scripts.BadInputException;
import io.millrace.scripts.api.ApiClient;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.api.ApiUrl;
import io.millrace.scripts.output.Output;
import io.millrace.scripts.output.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * The client and the output of an operator's command.
 *
 * @param api the client of a tracker
 */
public record Operator(ApiClient api, Output output) {

  static Operator at(
      ApiUrl url,
      @Nullable String token,
      @Nullable Path authorities,
      Duration patience,
      CommandLine command,
      boolean json) {
    Output output = new Output(command.getOut(), command.getErr(), json, Terminal.ofThisProcess());
    try {
      return new Operator(ApiClient.of(url, token, authorities, patience), output);
    } catch (IOException e) {
      throw new BadInputException(
          "--tls-ca " + authorities + " cannot be read: " + e.getClass().getSimpleName(), e);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--tls-ca: " + e.getMessage(), e);
    }
  }

  /** Requests a value and shows it. */
  public <T> void look(ApiPath path, Class<T> type, BiConsumer<T, PrintWriter> forPeople)
      throws InterruptedException {
    output.show(api.get(path, type), forPeople);
  }
}
