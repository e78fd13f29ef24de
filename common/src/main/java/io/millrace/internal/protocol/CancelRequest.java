package io.millrace.internal.protocol;

import io.millrace.api.CancelResult;

/** Cancels the live job with this key. Cancelling twice is harmless. */
public record CancelRequest(String nodeGroup, String taskId) implements Request<CancelResult> {}
