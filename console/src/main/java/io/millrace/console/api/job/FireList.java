package io.millrace.console.api.job;

import io.millrace.console.api.Fire;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next fire times of a schedule.
 *
 * @param words the schedule in words
 * @param zone the time zone of the local times
 * @param items the next fire times, fewer than asked for if there are no more
 * @param note a remark on all of them; null if none
 */
public record FireList(String words, ZoneId zone, List<Fire> items, @Nullable String note) {}
