package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;

/**
 * Fire times that follow one another and were missed: they get no trigger, and one row of the
 * ledger stands for all of them.
 *
 * @param from the first
 * @param to the last, the same if there is one
 * @param count how many, both included
 */
public record SkippedRange(Instant from, Instant to, long count) {}
