package io.millrace.internal.protocol;

import io.millrace.api.ChangeResult;
import org.jspecify.annotations.Nullable;

/**
 * Pauses the recurring job with this key. Pausing twice is harmless: the first pause stays
 * recorded.
 *
 * @param reason why, shown to people who ask later; at most {@value #MAX_REASON_CHARS} characters
 */
public record PauseRequest(String nodeGroup, String taskId, @Nullable String reason)
    implements Request<ChangeResult> {
  public static final int MAX_REASON_CHARS = 1_000;
}
