/** Recurring jobs: their definition, their states, and which triggers they get next. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.job;
