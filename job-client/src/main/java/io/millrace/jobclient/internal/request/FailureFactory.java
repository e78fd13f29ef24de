package io.millrace.jobclient.internal.request;

import org.jspecify.annotations.Nullable;

/** Creates exceptions of the public API, on which the packages below it do not depend. */
@FunctionalInterface
public interface FailureFactory {

  /**
   * Creates the exception for a request without an answer.
   *
   * @param outcomeUnknown whether a tracker may still have executed the request
   */
  RuntimeException create(String message, boolean outcomeUnknown, @Nullable Throwable cause);
}
