package io.millrace.internal.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Answers {@link StageRequest}.
 *
 * @param message for a person, unless the parts are stored
 */
public record StageReply(StageStatus status, @Nullable String message) {
  public StageReply {
    status = status == null ? StageStatus.UNKNOWN : status;
  }
}
