package io.millrace.jobtracker.group.pull;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.TriggerState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.UnknownOutcomeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
