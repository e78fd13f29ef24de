package io.millrace.tasktracker.execute;

import io.millrace.tasktracker.JobLogger;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;

/**
 * What bodies are made of, and run on.
 *
 * @param runners which runner runs a job
 * @param loggers gives the logger of an execution id
 * @param executor runs bodies
 */
public record Bodies(Runners runners, LongFunction<JobLogger> loggers, Executor executor) {}
