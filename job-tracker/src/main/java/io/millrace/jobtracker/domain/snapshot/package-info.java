/**
 * What is known of a task at the moment of a question; put into words by {@code domain.explain}.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.snapshot;
