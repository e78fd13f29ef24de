package io.millrace.tasktracker.execute;

import io.millrace.tasktracker.JobLogger;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;

/**
 * The runners, loggers and executor of invocations.
 *
 * @param runners selects the runner of a job
 * @param loggers returns the logger of an execution id
 * @param executor runs invocations
 */
public record JobInvocations(Runners runners, LongFunction<JobLogger> loggers, Executor executor) {}
