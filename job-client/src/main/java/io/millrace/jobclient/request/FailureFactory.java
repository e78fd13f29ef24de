package io.millrace.jobclient.request;

import org.jspecify.annotations.Nullable;

/** Makes an exception of the public API, which the packages below it do not know. */
@FunctionalInterface
public interface FailureFactory {

  /**
   * Makes the exception for a request without an answer.
   *
   * @param outcomeUnknown whether the request may have been carried out all the same
   */
  RuntimeException create(String message, boolean outcomeUnknown, @Nullable Throwable cause);
}
