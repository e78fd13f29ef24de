package io.millrace.jobtracker.group.pull;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import java.time.Instant;
import java.util.Map;

/** A trigger that was claimed, and the execution that it is now. */
record Won(Candidate candidate, Execution execution, StoredParams params) {

  /** What the worker receives. */
  Assignment assignment(Codec codec) {
    String json = params.json();
    return new Assignment(
        execution.id(),
        execution.nodeGroup(),
        execution.key().taskId(),
        Instant.ofEpochMilli(execution.plannedFor()),
        execution.key().ordinal(),
        Instant.ofEpochMilli(execution.dueAt()),
        execution.attempt(),
        1 + execution.spec().retry().maxRetries(),
        execution.spec().handler(),
        json == null ? Map.of() : codec.decodeStrings(json),
        execution.spec().timeout(),
        execution.spec().trace());
  }
}
