/**
 * Puts a snapshot of a job into sentences. Pure: no I/O except reading its catalogues, no threads,
 * no clock; equal snapshots give equal sentences.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.explain;
