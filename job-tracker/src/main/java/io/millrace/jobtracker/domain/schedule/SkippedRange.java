package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;

/**
 * Consecutive fire times that passed and get no trigger; one row of the ledger stands for all of
 * them.
 *
 * @param from the first
 * @param to the last; equal to the first if there is only one
 * @param count how many there are, both included
 */
public record SkippedRange(Instant from, Instant to, long count) {}
