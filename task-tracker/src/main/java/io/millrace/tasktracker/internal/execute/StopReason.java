package io.millrace.tasktracker.internal.execute;

/** Why an invocation is interrupted. */
enum StopReason {
  TIMED_OUT("it exceeded its time-out"),
  TERMINATED("it was terminated"),
  LEASE_LOST("the worker's lease for it was running out or had run out"),
  SHUTDOWN("the worker was closed and the grace period was over");

  private final String words;

  StopReason(String words) {
    this.words = words;
  }

  /** Returns the reason as a clause for messages. */
  String words() {
    return words;
  }

  /** Returns whether this reason stays the recorded one when other reasons follow. */
  boolean isLasting() {
    return this != LEASE_LOST;
  }
}
