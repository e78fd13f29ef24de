/** Decisions that need no I/O, no threads and no clock; {@code now} is an argument. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain;
