package io.millrace.internal.lifecycle;

import java.util.Set;

/**
 * States of a component that is started and closed once, and the only definition of the allowed
 * transitions.
 */
public enum LifecycleState {
  /** Not started yet. */
  NEW,
  /** Its parts are being started. */
  STARTING,
  /** At work. */
  STARTED,
  /** Its parts are being closed: by a close, or because a part did not start. */
  CLOSING,
  /** Closed; cannot be started again. */
  CLOSED;

  /** The states that may follow this one. */
  public Set<LifecycleState> next() {
    return switch (this) {
      case NEW -> Set.of(STARTING, CLOSING);
      case STARTING -> Set.of(STARTED, CLOSING);
      case STARTED -> Set.of(CLOSING);
      case CLOSING -> Set.of(CLOSED);
      case CLOSED -> Set.of();
    };
  }
}
