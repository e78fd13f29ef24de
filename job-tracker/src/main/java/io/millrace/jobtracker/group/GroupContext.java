package io.millrace.jobtracker.group;

import io.millrace.common.codec.Codec;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.ExecutionCompletions;
import io.millrace.jobtracker.group.pull.JobDefinitions;
import java.util.function.BooleanSupplier;

/**
 * What the served node groups of a tracker share.
 *
 * @param config how groups are served
 * @param engine what every part of the tracker works with
 * @param ends ends executions
 * @param definitions the jobs of triggers, by id and version
 * @param codec encodes what workers receive
 * @param tracker number of this tracker
 * @param ownsForCertain whether the tracker may go by what it last knew of its ownership
 */
public record GroupContext(
    ServiceConfig config,
    EngineContext engine,
    ExecutionCompletions ends,
    JobDefinitions definitions,
    Codec codec,
    int tracker,
    BooleanSupplier ownsForCertain) {}
