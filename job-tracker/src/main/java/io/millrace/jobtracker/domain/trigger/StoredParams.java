package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * Parameters as the store keeps them: one JSON object. Large ones stay in the store until the claim
 * needs them, so that the memory of deques is bounded.
 *
 * @param bytes length of the JSON in UTF-8; 0 means none
 * @param json the JSON; null if there is none or it was left in the store
 */
public record StoredParams(int bytes, @Nullable String json) {

  /** Parameters of up to this many bytes are read along with their row. */
  public static final int INLINE_BYTES = 2_048;

  public static final StoredParams NONE = new StoredParams(0, null);

  /** Whether they are small enough to be read along with their row. */
  boolean isInline() {
    return bytes <= INLINE_BYTES;
  }

  /** Whether there are parameters that were not yet read from the store. */
  public boolean isLeftInStore() {
    return bytes > 0 && json == null;
  }

  /** The same parameters with their JSON left in the store. */
  StoredParams leftInStore() {
    return new StoredParams(bytes, null);
  }

  /**
   * The parameters in full.
   *
   * @param read the parameters in the store; used only if they were left there
   */
  public StoredParams orRead(@Nullable String read) {
    return isLeftInStore() ? new StoredParams(bytes, read) : this;
  }
}
