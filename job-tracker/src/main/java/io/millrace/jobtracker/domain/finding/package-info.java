/** What is found of a task when it is to be explained; put into words by {@code domain.explain}. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.finding;
