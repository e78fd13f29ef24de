package io.millrace.jobtracker.store.failure;

import org.jspecify.annotations.Nullable;

/** The store cannot be reached, or refuses all writes. */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final boolean refusesWrites;

  /** Creates the exception for a store that cannot be reached. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  /**
   * Creates the exception.
   *
   * @param refusesWrites whether the store refuses only writes and may still answer reads
   */
  public StoreUnavailableException(
      String message, @Nullable Throwable cause, boolean refusesWrites) {
    super(message, cause);
    this.refusesWrites = refusesWrites;
  }

  /** Whether the store refused a write; a successful read then does not prove that it recovered. */
  public boolean refusesWrites() {
    return refusesWrites;
  }
}
