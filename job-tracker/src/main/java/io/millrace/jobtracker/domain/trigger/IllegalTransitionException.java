package io.millrace.jobtracker.domain.trigger;

/** A change of state that the state machine does not allow. */
public final class IllegalTransitionException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public IllegalTransitionException(String what, Object id, Enum<?> from, Enum<?> to) {
    super(what + " " + id + " cannot go from " + from + " to " + to);
  }
}
