package io.millrace.common.protocol;

import io.millrace.common.model.ChangeResult;

/** Resumes the paused job with this key. Resuming twice is harmless. */
public record ResumeRequest(String nodeGroup, String taskId) implements Request<ChangeResult> {}
