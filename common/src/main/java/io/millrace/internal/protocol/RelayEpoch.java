package io.millrace.internal.protocol;

import io.millrace.internal.model.NameText;
import org.jspecify.annotations.Nullable;

/**
 * Who relays a stored request, and how late an attempt this is.
 *
 * @param relay the partition of stored requests, the same for all processes that relay it; 1 to
 *     {@value #MAX_RELAY_CHARS} visible characters
 * @param epoch rises with every attempt: an attempt that arrives after a higher one is out of date.
 *     The submits of one request have one epoch for each relay
 */
public record RelayEpoch(String relay, long epoch) {
  public static final int MAX_RELAY_CHARS = 64;

  /** Returns why the name of the relay is not allowed, or null. */
  public @Nullable String fault() {
    if (relay.isBlank() || relay.length() > MAX_RELAY_CHARS) {
      return "a relay must have 1 to " + MAX_RELAY_CHARS + " characters";
    }
    String character = NameText.faultOf(relay);
    return character == null ? null : "the relay has a character that is not allowed: " + character;
  }
}
