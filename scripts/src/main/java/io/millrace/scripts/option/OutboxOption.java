package io.millrace.scripts.option;

import io.millrace.api.OutboxException;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.SavedJobOutcome;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The option for the outbox in which a command saves its request if no tracker responds, and from
 * which it delivers saved requests.
 */
public final class OutboxOption {

  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Option(
      names = "--outbox",
      paramLabel = "DIR",
      description = {
        "If no tracker answers, save the request in this directory, which counts as success."
            + " Requests saved before are delivered first. Only one command at a time can use it."
      })
  private @Nullable Path directory;

  /**
   * Returns the operator if the command uses the API, otherwise empty.
   *
   * @param applicationsOnly options of the command that only applications can use
   * @throws io.millrace.scripts.BadInputException if other options contradict {@code --url}, or the
   *     token is invalid
   */
  public Optional<Operator> operator(CommandSpec command, String... applicationsOnly) {
    Optional<Operator> operator = clientOptions.operator(command, applicationsOnly);
    if (operator.isPresent()) {
      Exclusions.require(command, "--url", "--outbox");
    }
    return operator;
  }

  /**
   * Creates a client, with this outbox if it is set, and delivers saved requests, waiting at most
   * the timeout; the caller closes the client.
   *
   * @param out receives a line for each saved request that is delivered or given up
   * @throws io.millrace.scripts.BadInputException if the token is invalid
   * @throws OutboxException if another process uses the directory, or the directory is not writable
   */
  public JobClient connect(String clientGroup, PrintWriter out) {
    JobClient client = clientOptions.connect(clientGroup, directory);
    client.onDelivered(delivered -> out.println(line(delivered)));
    boolean unused = client.awaitDelivered(clientOptions.timeout());
    return client;
  }

  /** Explains what a saved request means. */
  public String savedMeans() {
    return "no tracker has answered; the request is saved in "
        + directory
        + ", and the next submit or cancel with this --outbox delivers it";
  }

  private static String line(SavedJobOutcome delivered) {
    String key = delivered.nodeGroup() + "/" + delivered.taskId();
    return "DELIVERED " + key + ", saved at " + delivered.savedAt() + ": " + end(delivered);
  }

  private static String end(SavedJobOutcome delivered) {
    if (delivered.submitted() != null) {
      return delivered.submitted().status()
          + (delivered.submitted().reason() == null
              ? ""
              : " (" + delivered.submitted().reason() + ")")
          + (delivered.submitted().message() == null ? "" : ": " + delivered.submitted().message());
    }
    if (delivered.cancelled() != null) {
      return delivered.cancelled().found() ? "CANCELLED" : "there is no such live job";
    }
    return "given up, " + delivered.givenUp();
  }
}
