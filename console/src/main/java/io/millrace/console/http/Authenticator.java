package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Role;
import org.jspecify.annotations.Nullable;

/** Authenticates requests, and records those that change something. Thread-safe; may block. */
public interface Authenticator {

  /**
   * Authenticates a request; throws a problem if it is not admitted.
   *
   * @param change whether the request may change something
   * @param needed the role that the caller must have, for some node group at least; for which one,
   *     the {@link Scope} of the route decides
   */
  Caller admit(Credentials credentials, boolean change, Role needed);

  /**
   * Records a change before it is made; if this fails, so does the request.
   *
   * @param detail the body of the request as text, or null
   * @return receives the outcome of the change
   */
  Outcome asked(Caller caller, String operation, String target, @Nullable String detail);

  /** Receives the outcome of a change. */
  @FunctionalInterface
  interface Outcome {
    /**
     * Records the outcome.
     *
     * @param why it was rejected or failed; null if it succeeded
     */
    void is(int status, @Nullable String why);
  }
}
