package io.millrace.tasktracker;

import io.millrace.api.Outcome;
import io.millrace.api.ValueMapper;
import io.millrace.internal.values.JsonText;
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
      if (outcome == Outcome.SUCCESS) {
        context.requireAllParts();
      }
      comesBack = outcome == Outcome.LATER;
      return result == null ? null : reported(result, values);
    } finally {
      context.close(comesBack);
      ended.run();
    }
  }

  /**
   * Returns the report of what the runner returned. The work is done, so a value that cannot be
   * kept makes the attempt FAILED: a retry would do the work again.
   */
  private static InvocationResult reported(Result result, ValueMapper mapper) {
    Object value = result.value();
    if (value == null) {
      return new InvocationResult(result.outcome(), result.message(), result.delay());
    }
    String json;
    String fault;
    try {
      json = mapper.toJson(value);
      fault = json == null ? "has no JSON: the mapper returned null" : JsonText.faultOf(json);
    } catch (RuntimeException | StackOverflowError e) {
      json = null;
      fault = "has no JSON form: " + (e instanceof RuntimeException ? e.getMessage() : e);
    }
    return fault == null
        ? new InvocationResult(result.outcome(), result.message(), null, json)
        : new InvocationResult(Outcome.FAILED, lost(value, fault, result.message()), null);
  }

  private static String lost(Object value, String fault, @Nullable String message) {
    return "the job ended without an error, but its result, a %s, cannot be kept: it %s%s"
        .formatted(value.getClass().getName(), fault, message == null ? "" : "\n" + message);
  }
}
