/**
 * Natural batching: what gathers while one commit is under way makes up the next. No wait is added
 * when idle, and batches grow by themselves under load.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.pipeline;
