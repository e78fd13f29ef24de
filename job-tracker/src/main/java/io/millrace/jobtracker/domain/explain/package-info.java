/**
 * Puts what was read of a job into sentences. Pure: no I/O but the read of its catalogues, no
 * threads, no clock; equal findings give equal sentences.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.explain;
