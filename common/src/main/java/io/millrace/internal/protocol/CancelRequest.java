package io.millrace.internal.protocol;

import io.millrace.api.CancelResult;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the live job with this key. Cancelling twice is harmless.
 *
 * @param relay set if a relay sends a cancel that was stored earlier; the tracker refuses it as
 *     {@link ErrorCode#OUTDATED} once it has answered a request of the same relay with a higher
 *     epoch
 * @param jobId id of the job that is meant: another live job with this key is not cancelled, and
 *     the answer is that none was found; null means the live one
 * @param version version that is meant, in the same way; 0 for a one-shot; null means the current
 *     one
 */
public record CancelRequest(
    String nodeGroup,
    String taskId,
    @Nullable RelayEpoch relay,
    @Nullable Long jobId,
    @Nullable Integer version)
    implements Request<CancelResult> {

  /** A cancel that is sent when it is called. */
  public CancelRequest(String nodeGroup, String taskId) {
    this(nodeGroup, taskId, null);
  }

  /** A cancel of whichever job is live. */
  public CancelRequest(String nodeGroup, String taskId, @Nullable RelayEpoch relay) {
    this(nodeGroup, taskId, relay, null, null);
  }

  /** Whether this version of this job is meant. */
  public boolean means(long someJobId, int someVersion) {
    return (jobId == null || jobId == someJobId) && (version == null || version == someVersion);
  }
}
