package io.millrace.scripts.demo;

import io.millrace.tasktracker.JobContext;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;

/** Prints one line when an attempt starts and one when it ends. */
public final class AttemptPrinter implements AttemptListener {
  private final PrintWriter out;

  public AttemptPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void started(JobContext context, Instant startedAt, String worker) {
    out.printf(
        "%s start %s/%s execution %d attempt %d/%d, %d ms late%n",
        startedAt,
        context.nodeGroup(),
        context.taskId(),
        context.executionId(),
        context.attempt(),
        context.maxAttempts(),
        Duration.between(context.dueAt(), startedAt).toMillis());
    out.flush();
  }

  @Override
  public void ended(Attempt attempt) {
    out.printf(
        "%s end   %s/%s execution %d attempt %d/%d, %s after %d ms%s%n",
        attempt.endedAt(),
        attempt.nodeGroup(),
        attempt.taskId(),
        attempt.executionId(),
        attempt.number(),
        attempt.maxAttempts(),
        attempt.outcome(),
        Duration.between(attempt.startedAt(), attempt.endedAt()).toMillis(),
        attempt.message().isEmpty() ? "" : ": " + attempt.message());
    out.flush();
  }
}
