package io.millrace.scripts.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A response of the API.
 *
 * @param text the response body, unchanged
 * @param value the response body, decoded
 * @param tag the entity tag of what was read, for a change of exactly that; null if there is none
 * @param time when the tracker answered, by its clock; null if it does not say
 */
public record Answer<T>(String text, T value, @Nullable String tag, @Nullable Instant time) {

  /** A response of which only the body is known. */
  public Answer(String text, T value) {
    this(text, value, null, null);
  }
}
