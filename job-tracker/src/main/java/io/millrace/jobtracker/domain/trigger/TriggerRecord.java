package io.millrace.jobtracker.domain.trigger;

/** A row about a trigger that waits, runs or has ended. */
public interface TriggerRecord {
  TriggerCore core();

  default TriggerKey key() {
    return core().key();
  }

  default long jobId() {
    return core().jobId();
  }

  default int jobVersion() {
    return core().jobVersion();
  }

  default long plannedFor() {
    return core().plannedFor();
  }

  default int attempt() {
    return core().attempt();
  }

  /** Whether the trigger belongs to a recurring job, which has a definition. */
  default boolean isOfRecurringJob() {
    return jobVersion() > 0;
  }
}
