/** Writes what this tracker knows about its workers and node groups to the store, for operators. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.fleet;
