package io.millrace.scripts.command;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.operate.JobLines;
import io.millrace.scripts.option.JobKey;
import java.io.PrintWriter;

/** Reports the result of a pause or a resume. */
final class ChangeReport {
  private ChangeReport() {}

  /**
   * Prints one line if the job now has the requested state.
   *
   * @param done the word for the completed change
   * @throws CommandFailedException if it does not; the message gives the reason
   */
  static void of(PrintWriter out, String done, JobKey key, ChangeResult result) {
    if (!result.isDone()) {
      throw new CommandFailedException(refusal(result.status(), key, result.message()));
    }
    out.println(JobLines.changed(done, key, result.status(), result.message()));
  }

  /** Returns why nothing changed, for the error stream. */
  static String refusal(ChangeStatus status, JobKey key, String message) {
    return status + " " + key + ": " + message;
  }
}
