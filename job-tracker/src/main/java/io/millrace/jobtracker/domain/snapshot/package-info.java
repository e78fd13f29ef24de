/**
 * What is known about a task when an explanation is requested; {@code domain.explain} puts it into
 * words.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.snapshot;
