package io.millrace.tasktracker.internal.report;

import io.millrace.internal.outbox.Outbox;
import java.util.concurrent.Executor;

/**
 * The outbox for unacknowledged results.
 *
 * @param outbox the outbox, which only this worker uses
 * @param disk runs the tasks that read and write the outbox, one at a time, in order
 */
public record ResultStore(Outbox outbox, Executor disk) {}
