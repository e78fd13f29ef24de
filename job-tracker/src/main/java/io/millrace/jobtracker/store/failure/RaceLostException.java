package io.millrace.jobtracker.store.failure;

import java.util.function.Supplier;

/**
 * A row count shows that another transaction was faster: the caller rolls back, reads again and
 * decides again.
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
   * @throws RaceLostException if it loses every time
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
