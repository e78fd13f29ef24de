package io.millrace.common.config;

import org.jspecify.annotations.Nullable;

/**
 * A key that a configuration knows, as the documentation shows it.
 *
 * @param name the key
 * @param type what its values are, such as {@code duration}
 * @param presence whether it must be there
 * @param defaultText the default as one would write it; null unless there is one
 */
public record SettingKey(
    String name, String type, Presence presence, @Nullable String defaultText) {

  /** Whether a key must be there. */
  public enum Presence {
    /** Has a default. */
    DEFAULTED,
    /** May be left out, which means something of its own. */
    OPTIONAL,
    /** Must be there. */
    REQUIRED
  }
}
