/**
 * Batches: runs that were split into parts. Pure: no I/O, no threads, no clock.
 *
 * <p>A {@link io.millrace.jobtracker.domain.batch.Batch} is the run from its split to its end; a
 * part is a one-shot whose identity is a {@link io.millrace.jobtracker.domain.batch.PartKey}. When
 * parts may run is said by the {@link io.millrace.jobtracker.domain.batch.ReleaseWindow}, and what
 * becomes of the run by the {@link io.millrace.jobtracker.domain.batch.BatchOutcome}.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.batch;
