package io.millrace.tasktracker.report;

import io.millrace.common.outbox.Outbox;
import java.util.concurrent.Executor;

/**
 * Where results are kept that reach no tracker.
 *
 * @param outbox of this worker alone
 * @param disk runs what reads and writes it, one at a time, in order
 */
public record ResultStore(Outbox outbox, Executor disk) {}
