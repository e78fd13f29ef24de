package io.millrace.tasktracker.metrics;

/** What a worker has in memory, for gauges. Thread-safe; an answer waits for nothing. */
public interface WorkerReadings {

  /** Bodies that run at once at the most. */
  int slots();

  /** Bodies that go on although their attempts have ended. */
  int stuckBodies();

  /** Results in the outbox. */
  int outboxResults();

  /** Bytes of them. */
  long outboxBytes();
}
