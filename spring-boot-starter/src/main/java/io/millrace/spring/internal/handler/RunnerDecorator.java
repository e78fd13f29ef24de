package io.millrace.spring.internal.handler;

import io.millrace.tasktracker.JobRunner;

/** Wraps the runners of a worker. */
@FunctionalInterface
public interface RunnerDecorator {

  /** Returns the runner to use instead, or the same. */
  JobRunner decorate(String handler, JobRunner runner);
}
