package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Role;
import org.jspecify.annotations.Nullable;

/** Lets requests in, and keeps record of those that change something. Thread-safe; may block. */
public interface Authenticator {

  /**
   * Says who asks, or throws a problem.
   *
   * @param change whether the request may change something
   * @param needed what the caller must be
   */
  Caller admit(Credentials credentials, boolean change, Role needed);

  /**
   * Takes note of a change before it is made; if that fails, so does the request.
   *
   * @param detail the body of the request as text, or null
   * @return to be told the outcome
   */
  Outcome asked(Caller caller, String operation, String target, @Nullable String detail);

  /** Where the outcome of a change goes. */
  @FunctionalInterface
  interface Outcome {
    /**
     * Takes note of it.
     *
     * @param why it was refused or failed; null if it was done
     */
    void is(int status, @Nullable String why);
  }
}
