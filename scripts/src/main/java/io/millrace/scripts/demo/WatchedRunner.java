package io.millrace.scripts.demo;

import io.millrace.api.Outcome;
import io.millrace.internal.time.Clock;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Runs another runner and notifies a listener when it starts and when it ends. */
public final class WatchedRunner implements JobRunner {
  private final JobRunner runner;
  private final String worker;
  private final Clock clock;
  private final AttemptListener listener;

  /**
   * @param worker name of the worker, for the listener
   */
  public WatchedRunner(JobRunner runner, String worker, Clock clock, AttemptListener listener) {
    this.runner = runner;
    this.worker = worker;
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public @Nullable Result run(JobContext context) throws Throwable {
    Instant startedAt = clock.now();
    listener.started(context, startedAt, worker);
    String outcome = Outcome.EXCEPTION.name();
    String message = "";
    try {
      Result result = runner.run(context);
      outcome = (result == null ? Outcome.SUCCESS : result.outcome()).name();
      message = result == null || result.message() == null ? "" : result.message();
      return result;
    } catch (Throwable e) {
      message = e.toString();
      throw e;
    } finally {
      listener.ended(attempt(context, startedAt, outcome, message));
    }
  }

  private Attempt attempt(JobContext context, Instant startedAt, String outcome, String message) {
    return new Attempt(
        context.executionId(),
        context.nodeGroup(),
        context.taskId(),
        context.attempt(),
        context.maxAttempts(),
        context.plannedFor(),
        context.dueAt(),
        startedAt,
        clock.now(),
        worker,
        outcome,
        message);
  }
}
