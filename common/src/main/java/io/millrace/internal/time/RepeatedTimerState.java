package io.millrace.internal.time;

import java.util.Set;

/** States of a {@link RepeatedTimer}, and the only definition of the allowed transitions. */
public enum RepeatedTimerState {
  /** Not started, or stopped: nothing will run. */
  STOPPED,
  /** Waits for the next run. */
  WAITING,
  /** Its run was handed to the executor and has not begun. */
  QUEUED,
  /** Its duty runs. */
  RUNNING,
  /** Its duty runs, and was woken again during the run. */
  RUNNING_WOKEN,
  /** Its duty runs for the last time before it stops. */
  STOPPING,
  /** Its duty runs for the last time. */
  DESTROYING,
  /** Nothing will run ever again. */
  DESTROYED;

  /** The states that may follow this one. */
  public Set<RepeatedTimerState> next() {
    return switch (this) {
      case STOPPED -> Set.of(WAITING, DESTROYED);
      case WAITING -> Set.of(QUEUED, STOPPED, DESTROYED);
      case QUEUED -> Set.of(RUNNING, WAITING, STOPPED, DESTROYED);
      case RUNNING -> Set.of(WAITING, RUNNING_WOKEN, STOPPING, DESTROYING);
      case RUNNING_WOKEN -> Set.of(QUEUED, WAITING, STOPPING, DESTROYING);
      case STOPPING -> Set.of(STOPPED, RUNNING, DESTROYING);
      case DESTROYING -> Set.of(DESTROYED);
      case DESTROYED -> Set.of();
    };
  }

  /** Whether a run is under way. */
  public boolean isRunning() {
    return switch (this) {
      case RUNNING, RUNNING_WOKEN, STOPPING, DESTROYING -> true;
      case STOPPED, WAITING, QUEUED, DESTROYED -> false;
    };
  }
}
