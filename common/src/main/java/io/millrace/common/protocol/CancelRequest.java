package io.millrace.common.protocol;

import io.millrace.common.model.CancelResult;

/** Cancels the living job of this key. Cancelling twice is harmless. */
public record CancelRequest(String nodeGroup, String taskId) implements Request<CancelResult> {}
