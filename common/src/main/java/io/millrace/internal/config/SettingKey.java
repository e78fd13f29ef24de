package io.millrace.internal.config;

import org.jspecify.annotations.Nullable;

/**
 * A known key of a configuration, as the documentation shows it.
 *
 * @param name the key
 * @param type type of the values, such as {@code duration}
 * @param presence whether the key must be present
 * @param defaultText the default, written as in a file; null if there is none
 */
public record SettingKey(
    String name, String type, Presence presence, @Nullable String defaultText) {

  /** Whether a key must be present. */
  public enum Presence {
    /** The key has a default. */
    DEFAULTED,
    /** The key may be missing, which has its own meaning. */
    OPTIONAL,
    /** The key must be present. */
    REQUIRED
  }
}
