/**
 * Natural batching: the items that arrive during one commit form the next batch. An idle pipeline
 * adds no delay, and batches grow with the load.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.pipeline;
