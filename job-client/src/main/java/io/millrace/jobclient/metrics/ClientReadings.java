package io.millrace.jobclient.metrics;

/** What a client has in memory, for gauges. Thread-safe; an answer waits for nothing. */
public interface ClientReadings {

  /** Jobs taken and not yet answered. */
  int jobsInFlight();

  /** Whether a tracker is connected. */
  boolean isConnected();

  /** Requests in the outbox. */
  int outboxRequests();

  /** Bytes of them. */
  long outboxBytes();
}
