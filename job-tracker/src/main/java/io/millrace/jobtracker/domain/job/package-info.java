/** Recurring jobs: their definition, their states, and the next triggers to write. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.job;
