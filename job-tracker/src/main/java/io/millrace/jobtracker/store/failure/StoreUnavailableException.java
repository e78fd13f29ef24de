package io.millrace.jobtracker.store.failure;

import org.jspecify.annotations.Nullable;

/** The store cannot be reached, or refuses to write, whatever is asked of it. */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final boolean refusesWrites;

  /** Of a store that cannot be reached. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  /**
   * @param refusesWrites whether it may well answer whoever only reads
   */
  public StoreUnavailableException(
      String message, @Nullable Throwable cause, boolean refusesWrites) {
    super(message, cause);
    this.refusesWrites = refusesWrites;
  }

  /** Whether what was refused is to write; what it answers to reads then proves nothing. */
  public boolean refusesWrites() {
    return refusesWrites;
  }
}
