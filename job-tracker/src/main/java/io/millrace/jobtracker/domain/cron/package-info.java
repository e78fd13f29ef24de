/** Cron expressions: their dialect, their fire times of the day, and how they read in words. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.cron;
