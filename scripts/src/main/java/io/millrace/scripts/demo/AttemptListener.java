package io.millrace.scripts.demo;

import io.millrace.tasktracker.JobContext;
import java.time.Instant;

/** Receives every attempt of a worker. Called on the worker's threads; must be thread-safe. */
public interface AttemptListener {

  /** The invocation of an attempt is about to run. */
  default void started(JobContext context, Instant startedAt, String worker) {}

  /** The invocation of an attempt has ended. */
  void ended(Attempt attempt);
}
