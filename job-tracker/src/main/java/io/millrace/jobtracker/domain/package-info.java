/** What is decided without I/O, threads or a clock; {@code now} is an argument. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain;
