package io.millrace.scripts.operate;

import io.millrace.api.ChangeStatus;
import io.millrace.api.Explanation;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.output.Cell;

/** The lines that report actions on a job, the same for operators and applications. */
public final class JobLines {
  private JobLines() {}

  /**
   * Reports a pause or a resume.
   *
   * @param done the word for the completed change
   */
  public static String changed(String done, JobKey key, ChangeStatus status, String message) {
    String word = status == ChangeStatus.CHANGED ? done : status.name();
    return word + " " + key + ": " + Cell.line(message);
  }

  public static String extraRun(JobKey key, int ordinal, String message) {
    return "ACCEPTED " + key + ", extra run " + ordinal + ": " + Cell.line(message);
  }

  public static String cancelled(JobKey key, int triggers, int running) {
    return "CANCELLED %s: waiting triggers removed: %d, executions asked to stop: %d"
        .formatted(key, triggers, running);
  }

  public static String terminated(JobKey key, int running) {
    return "TERMINATED " + key + ": executions asked to stop: " + running;
  }

  /** Formats a fact, preceded by its instant. */
  public static String fact(Explanation.Fact fact) {
    String text = Cell.line(fact.text());
    return fact.at() == null ? text : fact.at() + "  " + text;
  }
}
