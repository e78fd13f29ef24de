/**
 * When jobs fire. Pure: no I/O, no threads, no clock; {@code now} is an argument, and equal
 * arguments give equal answers.
 *
 * <p>The cron-utils library is used only for cron texts. Fire times are computed on the local time
 * line and mapped to instants by the zone's rules, so that every day of the year is right,
 * including the two on which the clocks change. Instants that leave this package have millisecond
 * precision and lie in the years 1970 to 9999.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.schedule;
