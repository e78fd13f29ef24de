package io.millrace.console.alert.monitor;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One example of what a message reports.
 *
 * @param taskId null if the example is not about a job
 * @param at when it happened
 * @param message what is known about it; cut to {@link #MOST_CHARACTERS}
 */
public record AlertExample(@Nullable String taskId, Instant at, @Nullable String message) {
  /** The most characters of a message. */
  static final int MOST_CHARACTERS = 300;

  public AlertExample {
    if (message != null && message.length() > MOST_CHARACTERS) {
      message = message.substring(0, MOST_CHARACTERS - 1) + "…";
    }
  }
}
