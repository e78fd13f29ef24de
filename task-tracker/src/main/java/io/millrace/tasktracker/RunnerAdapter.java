package io.millrace.tasktracker;

import io.millrace.api.Outcome;
import io.millrace.api.ValueMapper;
import io.millrace.tasktracker.internal.execute.AttemptContext;
import io.millrace.tasktracker.internal.execute.AttemptRunner;
import io.millrace.tasktracker.internal.execute.InvocationResult;
import io.millrace.tasktracker.internal.joblog.JobLogs;
import io.millrace.tasktracker.internal.keep.KeptRuns;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures;
import org.jspecify.annotations.Nullable;

/** Runs attempts by the runner of an application, and measures its invocations. Thread-safe. */
record RunnerAdapter(
    JobRunner runner,
    WorkerMeasures.RunnerMeasures measures,
    JobLogs logs,
    KeptRuns kept,
    ValueMapper values)
    implements AttemptRunner {

  @Override
  public @Nullable InvocationResult run(AttemptContext attempt) throws Throwable {
    AttemptJobContext context =
        new AttemptJobContext(attempt, logs.open(attempt.executionId()), kept, values);
    Runnable ended = measures.began();
    boolean comesBack = true;
    try {
      Result result = runner.run(context);
      Outcome outcome = result == null ? Outcome.SUCCESS : result.outcome();
      comesBack = outcome == Outcome.LATER;
      if (outcome == Outcome.SUCCESS) {
        context.requireAllParts();
      }
      return result == null ? null : ResultValue.of(result, values);
    } finally {
      context.close(comesBack);
      ended.run();
    }
  }
}
