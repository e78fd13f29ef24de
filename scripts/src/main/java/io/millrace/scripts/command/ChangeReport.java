package io.millrace.scripts.command;

import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.ChangeStatus;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.output.Cell;
import picocli.CommandLine.Model.CommandSpec;

/** Says what became of a pause or a resume. */
final class ChangeReport {
  private ChangeReport() {}

  /**
   * Prints one line, if the job is now as it was asked for.
   *
   * @param done the word for what was done
   * @throws CommandFailedException if it is not; says why
   */
  static int of(CommandSpec spec, String done, JobKey key, ChangeResult result) {
    if (!result.isDone()) {
      throw new CommandFailedException(refusal(result.status(), key, result.message()));
    }
    String word = result.status() == ChangeStatus.CHANGED ? done : result.status().name();
    spec.commandLine().getOut().println(word + " " + key + ": " + Cell.line(result.message()));
    return ExitCode.OK;
  }

  /** Why nothing was done, for the error stream. */
  static String refusal(ChangeStatus status, JobKey key, String message) {
    return status + " " + key + ": " + message;
  }
}
