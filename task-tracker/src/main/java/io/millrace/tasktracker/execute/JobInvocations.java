package io.millrace.tasktracker.execute;

import java.util.concurrent.Executor;

/**
 * The runners and the executor of invocations.
 *
 * @param runners selects the runner of a job
 * @param executor runs invocations
 */
public record JobInvocations(Runners<AttemptRunner> runners, Executor executor) {}
