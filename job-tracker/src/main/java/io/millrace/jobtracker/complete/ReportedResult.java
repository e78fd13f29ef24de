package io.millrace.jobtracker.complete;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.values.JsonText;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Checks the result of a job in a worker's report, and corrects reports that cannot hold. Workers
 * of this project check it themselves; one in another language may not. The work is done, so a bad
 * result ends the execution FAILED and not with a retry. Stateless.
 */
final class ReportedResult {
  private ReportedResult() {}

  /**
   * Returns the report if its result can be stored, or has none, and otherwise a failure.
   *
   * @param full why no result can be stored now; null if there is room
   */
  static ExecutionResult checked(ExecutionResult report, @Nullable String full) {
    String result = report.result();
    if (result == null) {
      return report;
    }
    if (report.outcome() != Outcome.SUCCESS) {
      return with(report, report.outcome(), report.message());
    }
    String wrong = JsonText.faultOf(result);
    String fault = wrong == null ? full : "it " + wrong;
    return fault == null
        ? report
        : with(
            report,
            Outcome.FAILED,
            "the worker reported success with a result that cannot be stored: "
                + fault
                + (report.message() == null ? "" : "\n" + report.message()));
  }

  /** Returns the report as one of an attempt that threw an exception. */
  static AttemptOutcome.Reported failed(AttemptOutcome.Reported report, String why) {
    return new AttemptOutcome.Reported(
        with(report.result(), Outcome.EXCEPTION, why), report.workerId());
  }

  private static ExecutionResult with(
      ExecutionResult report, Outcome outcome, @Nullable String message) {
    return new ExecutionResult(
        report.executionId(),
        outcome,
        message,
        report.laterDelay(),
        report.exceptionTypes(),
        report.startedAt(),
        report.finishedAt(),
        null,
        report.noRetry(),
        report.kept(),
        null);
  }
}
