package io.millrace.scripts.operate;

import io.millrace.api.JobStatus;
import io.millrace.api.TriggerResult;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Details;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the status of a job, the same for operators and applications. */
public final class StatusDetails {
  private StatusDetails() {}

  /** Prints a status; nothing if the job is not known. */
  public static void print(JobStatus status, PrintWriter out) {
    if (status.state() == JobStatus.State.NOT_KNOWN) {
      return;
    }
    boolean waits = status.state() == JobStatus.State.WAITING;
    Details details =
        new Details()
            .add("job", status.nodeGroup() + "/" + status.taskId())
            .add("submission", status.submissionId())
            .add("state", status.state())
            .add(
                waits ? "due" : "next fire times",
                status.nextFireTimes().isEmpty() ? null : status.nextFireTimes())
            .add("executing", executing(status));
    TriggerResult end = status.lastEnd();
    if (end != null) {
      details
          .add(status.hasEnded() ? "ended" : "last end", endOf(end))
          .add("message", end.message())
          .add("result", end.result());
    }
    details.add("as of", status.asOf()).print(out);
  }

  private static @Nullable String executing(JobStatus status) {
    return status.executions().isEmpty()
        ? null
        : status.executions().stream()
            .map(StatusDetails::executionOf)
            .collect(Collectors.joining("; "));
  }

  private static String executionOf(JobStatus.Execution execution) {
    JobStatus.Parts parts = execution.parts();
    if (parts != null) {
      return "batch %d, split at %s: %d of %d parts have ended, %d failed"
          .formatted(
              execution.id(),
              Cell.of(execution.claimedAt()),
              parts.ended(),
              parts.total(),
              parts.failed());
    }
    return "%d, attempt %d, on %s since %s"
        .formatted(
            execution.id(),
            execution.attempt(),
            execution.worker(),
            Cell.of(execution.claimedAt()));
  }

  private static String endOf(TriggerResult end) {
    String when =
        "%s at %s, planned for %s"
            .formatted(end.disposition(), Cell.of(end.finishedAt()), Cell.of(end.plannedFor()));
    return end.attempt() == 0 ? when : when + ", attempt " + end.attempt();
  }

  /**
   * Checks that the job is known.
   *
   * @throws CommandFailedException if it is not
   */
  public static void requireKnown(JobStatus status, @Nullable String submissionId) {
    if (status.state() != JobStatus.State.NOT_KNOWN) {
      return;
    }
    String job = status.nodeGroup() + "/" + status.taskId();
    throw new CommandFailedException(
        submissionId == null
            ? "job %s is not known; a one-shot that has ended is found with --submission"
                .formatted(job)
            : "submission %s of job %s is not known, or not known any more"
                .formatted(submissionId, job));
  }
}
