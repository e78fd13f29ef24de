/**
 * Natural batching: the items that arrive during one commit form the next batch. An idle pipeline
 * adds no delay, and batches grow with the load. Questions are bounded beside it: a few are read at
 * a time.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.pipeline;
