package io.millrace.scripts.command;

import io.millrace.internal.protocol.PauseRequest;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.operate.JobActions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace pause}: pauses a job. */
@Command(
    name = "pause",
    description = {
      "Pauses a recurring job until it is resumed: waiting triggers will not run, running"
          + " executions continue.",
      "The tracker records who paused it, when and why. Does nothing if the job is already"
          + " paused; fails if there is no live job with this key."
    })
public final class PauseCommand extends ClientCommand {

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description =
          "Reason of the pause, to be shown to others; at most "
              + PauseRequest.MAX_REASON_CHARS
              + " characters.")
  private @Nullable String reason;

  @Override
  void check() {
    reason = reason == null ? null : checked(reason);
  }

  @Override
  void ask(JobActions job) throws InterruptedException {
    job.pause(reason);
  }

  @Override
  void ask(JobClient client) throws InterruptedException {
    ChangeReport.of(
        out(),
        "PAUSED",
        key(),
        reason == null
            ? client.pause(key().nodeGroup(), key().taskId())
            : client.pause(key().nodeGroup(), key().taskId(), reason));
  }

  private static String checked(String reason) {
    BadInputException.unless(!reason.isBlank(), "--reason '" + reason + "' is blank");
    int characters = reason.codePointCount(0, reason.length());
    BadInputException.unless(
        characters <= PauseRequest.MAX_REASON_CHARS,
        "--reason has %d characters; at most %d are allowed"
            .formatted(characters, PauseRequest.MAX_REASON_CHARS));
    return reason.strip();
  }
}
