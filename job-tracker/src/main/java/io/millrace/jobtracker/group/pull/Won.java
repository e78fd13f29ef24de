package io.millrace.jobtracker.group.pull;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import java.time.Instant;
import java.util.Map;

/** A claimed trigger and its execution. */
record Won(Candidate candidate, Execution execution, StoredParams params) {

  /** The assignment that the worker receives. */
  Assignment assignment(JsonCodec codec) {
    String json = params.json();
    PartOf part = execution.spec().part();
    Integer shards = part == null ? null : part.shards();
    boolean reduces = part != null && part.reduces();
    Integer number = part == null ? null : (Integer) part.placeOf(execution.key());
    return new Assignment(
        execution.id(),
        execution.nodeGroup(),
        part == null ? execution.key().taskId() : part.taskId(),
        Instant.ofEpochMilli(execution.plannedFor()),
        execution.key().ordinal(),
        Instant.ofEpochMilli(execution.dueAt()),
        execution.attempt(),
        1 + execution.spec().retry().maxRetries(),
        execution.spec().handler(),
        json == null ? Map.of() : codec.decodeStrings(json),
        execution.spec().timeout(),
        execution.spec().trace(),
        shards == null || number == null ? null : (Integer) (number - 1),
        shards,
        shards == null && !reduces ? number : null,
        reduces ? (Boolean) true : null);
  }
}
