package io.millrace.tasktracker.metrics;

/** The state of a worker for gauges. Thread-safe; no method blocks. */
public interface WorkerReadings {

  /** The maximum number of invocations that run at once. */
  int slots();

  /** The number of invocations that continue although their attempts have ended. */
  int stuckInvocations();

  /** The number of results in the outbox. */
  int outboxResults();

  /** The bytes of the results in the outbox. */
  long outboxBytes();
}
