package io.millrace.tasktracker;

import io.millrace.api.ValueMapper;
import io.millrace.tasktracker.internal.execute.AttemptContext;
import io.millrace.tasktracker.internal.execute.AttemptRunner;
import io.millrace.tasktracker.internal.execute.InvocationResult;
import io.millrace.tasktracker.internal.joblog.JobLogs;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures;
import org.jspecify.annotations.Nullable;

/** Runs attempts by the runner of an application, and measures its invocations. Thread-safe. */
record RunnerAdapter(
    JobRunner runner, WorkerMeasures.RunnerMeasures measures, JobLogs logs, ValueMapper values)
    implements AttemptRunner {

  @Override
  public @Nullable InvocationResult run(AttemptContext attempt) throws Throwable {
    JobContext context = new AttemptJobContext(attempt, logs.open(attempt.executionId()), values);
    Runnable ended = measures.began();
    try {
      Result result = runner.run(context);
      return result == null ? null : ResultValue.of(result, values);
    } finally {
      ended.run();
    }
  }
}
