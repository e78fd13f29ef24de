/** Cron expressions: their dialects, their fire times, and their description in words. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.cron;
