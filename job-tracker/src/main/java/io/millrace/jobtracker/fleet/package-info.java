/** Tells the store what this tracker knows of its workers and node groups, for operators to see. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.fleet;
