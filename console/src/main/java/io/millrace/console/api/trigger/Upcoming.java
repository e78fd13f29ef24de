package io.millrace.console.api.trigger;

import java.time.Instant;
import java.util.List;

/**
 * What will run in the time to come.
 *
 * @param asOf the tracker's time; what was due before is late, and not shown here
 * @param until what falls due later is not shown
 * @param complete false if there was more to look at than is looked at: then jobs may be missing
 * @param items by their first fire time
 */
public record Upcoming(Instant asOf, Instant until, boolean complete, List<UpcomingJob> items) {}
