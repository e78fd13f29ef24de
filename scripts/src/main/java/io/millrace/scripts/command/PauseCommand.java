package io.millrace.scripts.command;

import io.millrace.common.protocol.PauseRequest;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Operator;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace pause}: pauses a job. */
@Command(
    name = "pause",
    description = {
      "Pauses a recurring job until it is resumed: waiting triggers will not run, running"
          + " executions continue.",
      "The tracker records who paused it, when and why. Does nothing if the job is already"
          + " paused; fails if there is no live job with this key."
    })
public final class PauseCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description =
          "Reason of the pause, to be shown to others; at most "
              + PauseRequest.MAX_REASON_CHARS
              + " characters.")
  private @Nullable String reason;

  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Override
  public Integer call() throws InterruptedException {
    String why = reason == null ? null : checked(reason);
    Optional<Operator> operator = clientOptions.operator(spec);
    if (operator.isPresent()) {
      return new JobActions(operator.get(), key).pause(why);
    }
    try (JobClient client = clientOptions.connect(ClientOptions.OWN_GROUP)) {
      return ChangeReport.of(
          spec,
          "PAUSED",
          key,
          why == null
              ? client.pause(key.nodeGroup(), key.taskId())
              : client.pause(key.nodeGroup(), key.taskId(), why));
    }
  }

  private static String checked(String reason) {
    if (reason.isBlank()) {
      throw new BadInputException("--reason '" + reason + "' is blank");
    }
    int characters = reason.codePointCount(0, reason.length());
    if (characters > PauseRequest.MAX_REASON_CHARS) {
      throw new BadInputException(
          "--reason has %d characters; at most %d are allowed"
              .formatted(characters, PauseRequest.MAX_REASON_CHARS));
    }
    return reason.strip();
  }
}
