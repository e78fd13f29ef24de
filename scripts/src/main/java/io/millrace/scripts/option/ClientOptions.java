package io.millrace.scripts.option;

import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientBuilder;
import io.millrace.scripts.BadInputException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command is a client: where the trackers are, and how long it waits for them. */
public final class ClientOptions {
  /** The client group of commands that are given none. */
  public static final String OWN_GROUP = "millrace-cli";

  @Mixin private ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = "--wait",
      paramLabel = "DUR",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "How long to wait for the answer. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofSeconds(10);

  /** How long to wait for an answer. */
  Duration timeout() {
    return timeout;
  }

  /**
   * A client of these trackers; whoever asks for it closes it.
   *
   * @throws BadInputException if the token is none
   */
  public JobClient connect(String clientGroup) {
    return connect(clientGroup, null);
  }

  /** The same, with the outbox in this directory if one is given. */
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
