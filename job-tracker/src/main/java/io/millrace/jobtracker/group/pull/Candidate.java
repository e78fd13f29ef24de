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

/** A claim whose job is known: what it becomes if it is won. */
record Candidate(Claim claim, TriggerSpec spec, StoredParams jobParams) {
  WaitingTrigger trigger() {
    return claim.trigger();
  }

  long rowId() {
    return claim.trigger().id();
  }

  long paramsBytes() {
    return (trigger().carriesParams() ? trigger().params() : jobParams).bytes();
  }

  /** Whether another trigger of the job may keep it from running. */
  boolean needsItsTurn() {
    return trigger().isOfRecurringJob()
        && !trigger().begun()
        && spec.overlapPolicy().isExclusive();
  }
}
