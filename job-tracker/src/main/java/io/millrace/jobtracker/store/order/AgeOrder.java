package io.millrace.jobtracker.store.order;

/** Whether the newest or the oldest come first. */
public enum AgeOrder {
  NEWEST_FIRST,
  OLDEST_FIRST
}
