package io.millrace.jobtracker.alert;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One of the things a message is about.
 *
 * @param taskId null where it is not about a job
 * @param at when it happened
 * @param message what is known of it; cut to {@link #MOST_CHARACTERS}
 */
public record AlertExample(@Nullable String taskId, Instant at, @Nullable String message) {
  /** Of a message. */
  static final int MOST_CHARACTERS = 300;

  public AlertExample {
    if (message != null && message.length() > MOST_CHARACTERS) {
      message = message.substring(0, MOST_CHARACTERS - 1) + "…";
    }
  }
}
