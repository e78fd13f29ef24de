package io.millrace.scripts.option;

import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientBuilder;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.api.ApiClient;
import io.millrace.scripts.api.ApiUrl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of a client command: the addresses of the trackers and the timeout. */
public final class ClientOptions {
  /** The client group if a command names none. */
  public static final String OWN_GROUP = "millrace-cli";

  private static final String URL = "--url";

  @Mixin private ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = URL,
      paramLabel = "URL",
      description =
          "Use the API of the tracker that listens for operators there, such as "
              + ApiUrl.USUAL
              + ", with the token of an operator, who is then recorded in the audit. The token"
              + " is read from --token-file or from the environment variable "
              + ApiClient.TOKEN_VARIABLE
              + ".")
  private @Nullable ApiUrl url;

  @Option(names = "--json", description = "With --url: print the answer of the API unchanged.")
  private boolean json;

  @Option(
      names = "--wait",
      paramLabel = "DUR",
      defaultValue = "10s",
      description = "How long to wait for the answer. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofSeconds(10);

  /** Returns how long to wait for a response. */
  Duration timeout() {
    return timeout;
  }

  /**
   * Returns the operator if the command uses the API, otherwise empty.
   *
   * @param applicationsOnly options of the command that only applications can use
   * @throws BadInputException if other options contradict {@code --url}, or the token is invalid
   */
  public Optional<Operator> operator(CommandSpec command, String... applicationsOnly) {
    if (url == null) {
      BadInputException.unless(!json, "--json needs --url");
      return Optional.empty();
    }
    Exclusions.require(command, URL, "--trackers", "--tls");
    Exclusions.require(command, URL, applicationsOnly);
    return Optional.of(
        Operator.at(
            url,
            connection.operatorToken().orElse(null),
            connection.authorities(),
            timeout,
            command.commandLine(),
            json));
  }

  /**
   * Creates a client of these trackers; the caller closes it.
   *
   * @throws BadInputException if the token is invalid
   */
  public JobClient connect(String clientGroup) {
    return connect(clientGroup, null);
  }

  /** Like {@link #connect(String)}, with the outbox in this directory unless it is null. */
  JobClient connect(String clientGroup, @Nullable Path outbox) {
    JobClientBuilder builder =
        JobClient.builder()
            .trackers(connection.trackers().toArray())
            .clientGroup(clientGroup)
            .nodeName(ProcessName.ofThisProcess())
            .requestTimeout(timeout);
    try {
      connection.token().ifPresent(builder::token);
      connection.tls().ifPresent(builder::tls);
      if (outbox != null) {
        builder.outbox(outbox);
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
