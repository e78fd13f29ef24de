package io.millrace.internal.protocol;

import io.millrace.api.CancelResult;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the live job with this key. Cancelling twice is harmless.
 *
 * @param relay set if a relay sends a cancel that was stored earlier; the tracker refuses it as
 *     {@link ErrorCode#OUTDATED} once it has answered a request of the same relay with a higher
 *     epoch
 */
public record CancelRequest(String nodeGroup, String taskId, @Nullable RelayEpoch relay)
    implements Request<CancelResult> {

  /** A cancel that is sent when it is called. */
  public CancelRequest(String nodeGroup, String taskId) {
    this(nodeGroup, taskId, null);
  }
}
