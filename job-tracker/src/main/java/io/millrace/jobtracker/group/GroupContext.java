package io.millrace.jobtracker.group;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.ExecutionCompletions;
import io.millrace.jobtracker.group.pull.JobDefinitions;
import java.util.function.BooleanSupplier;

/**
 * The objects shared by the node groups that a tracker serves.
 *
 * @param config how groups are served
 * @param engine the objects shared by all parts of the tracker
 * @param ends ends executions
 * @param definitions the jobs of triggers, by id and version
 * @param codec decodes the stored parameters that workers receive
 * @param tracker number of this tracker
 * @param ownsForCertain whether the ownership that the tracker last read is still certain
 */
public record GroupContext(
    ServiceConfig config,
    EngineContext engine,
    ExecutionCompletions ends,
    JobDefinitions definitions,
    JsonCodec codec,
    int tracker,
    BooleanSupplier ownsForCertain) {}
