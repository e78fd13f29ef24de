package io.millrace.common.protocol;

import io.millrace.common.model.CancelResult;

/** Cancels the live job with this key. Cancelling twice is harmless. */
public record CancelRequest(String nodeGroup, String taskId) implements Request<CancelResult> {}
