package io.millrace.common.protocol;

import io.millrace.common.model.Explanation;

/** Asks why the job of this key has or has not run, and what happens next. Changes nothing. */
public record ExplainRequest(String nodeGroup, String taskId) implements Request<Explanation> {}
