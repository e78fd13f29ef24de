package io.millrace.jobtracker.metrics;

/**
 * What a tracker has in memory of a node group that it serves, for gauges. Asked by whoever
 * scrapes, so that an answer reads no store and waits for nothing. Thread-safe.
 */
public interface GroupReadings {

  /** Due triggers that wait, when they were last counted. */
  long backlog();

  /** For how long the first of them had been due then, in milliseconds. */
  long oldestDueAge();

  /** Slots that workers wait to fill. */
  int freeSlots();

  /** Executions under way. */
  int executing();

  /** Workers connected to this tracker. */
  int workers();
}
