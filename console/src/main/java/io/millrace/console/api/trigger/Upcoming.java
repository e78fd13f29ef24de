package io.millrace.console.api.trigger;

import java.time.Instant;
import java.util.List;

/**
 * The jobs that will run in a span of time.
 *
 * @param asOf the tracker's time; triggers due before it are late and not listed
 * @param until triggers due later are not listed
 * @param complete false if the search reached its bounds, so jobs may be missing
 * @param items ordered by first fire time
 */
public record Upcoming(Instant asOf, Instant until, boolean complete, List<UpcomingJob> items) {}
