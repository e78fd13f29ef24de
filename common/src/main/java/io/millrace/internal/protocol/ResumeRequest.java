package io.millrace.internal.protocol;

import io.millrace.api.ChangeResult;

/** Resumes the paused job with this key. Resuming twice is harmless. */
public record ResumeRequest(String nodeGroup, String taskId) implements Request<ChangeResult> {}
