package io.millrace.jobtracker.store.failure;

import java.util.function.Supplier;

/**
 * A row count said that another transaction was faster: everything is rolled back, and read and
 * decided anew.
 */
public final class RaceLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_TRIES = 10;

  public RaceLostException(String message) {
    super(message);
  }

  /**
   * Runs a transaction until it wins its races, at most {@value #MAX_TRIES} times.
   *
   * @throws RaceLostException if it never does
   */
  public static <T> T retrying(Supplier<T> transaction) {
    for (int tries = 1; ; tries++) {
      try {
        return transaction.get();
      } catch (RaceLostException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }
}
