/**
 * Answers why a job has or has not run. Reads only, takes no lock, and every read is bounded; what
 * the store cannot tell it does not make up: a store that fails fails the answer.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.explain;
