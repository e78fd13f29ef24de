package io.millrace.scripts.option;

import io.millrace.common.outbox.OutboxException;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.SavedJobOutcome;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Where a command keeps its request if no tracker answers, and delivers those it finds there. */
public final class OutboxOption {

  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Option(
      names = "--outbox",
      paramLabel = "DIR",
      description = {
        "If no tracker answers, keep the request in this directory, and count that as done."
            + " What is left in it from before is delivered first. One command at a time may use it."
      })
  private @Nullable Path directory;

  /**
   * The operator who goes through the API, if that is how the command is to go.
   *
   * @param applicationsOnly options of the command that only applications have
   * @throws io.millrace.scripts.BadInputException if other options contradict that, or the token is
   *     none
   */
  public Optional<Operator> operator(CommandSpec command, String... applicationsOnly) {
    Optional<Operator> operator = clientOptions.operator(command, applicationsOnly);
    if (operator.isPresent()) {
      Exclusions.require(command, "--url", "--outbox");
    }
    return operator;
  }

  /**
   * A client with this outbox, if there is one, that has delivered what it could of it; whoever
   * asks for it closes it.
   *
   * @param out gets a line for each request of before that is delivered or given up
   * @throws io.millrace.scripts.BadInputException if the token is none
   * @throws OutboxException if another process uses the directory, or it cannot be written
   */
  public JobClient connect(String clientGroup, PrintWriter out) {
    JobClient client = clientOptions.connect(clientGroup, directory);
    client.onDelivered(delivered -> out.println(line(delivered)));
    boolean unused = client.awaitDelivered(clientOptions.timeout());
    return client;
  }

  /** What it means that a request is saved. */
  public String savedMeans() {
    return "no tracker has answered; it is kept in "
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
      return delivered.cancelled().found() ? "CANCELLED" : "no such job lives";
    }
    return "given up, " + delivered.givenUp();
  }
}
