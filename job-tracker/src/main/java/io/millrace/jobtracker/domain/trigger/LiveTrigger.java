package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/** A row about a trigger that waits or runs. */
public interface LiveTrigger extends TriggerRecord {
  long id();

  int priority();

  /** When the trigger was first written, in epoch milliseconds. */
  long generatedAt();

  /** How it runs and ends; null if the definition of its recurring job says so. */
  @Nullable TriggerSpec spec();

  StoredParams params();
}
