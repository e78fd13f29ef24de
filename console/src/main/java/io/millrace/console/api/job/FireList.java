package io.millrace.console.api.job;

import io.millrace.console.api.Fire;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When something fires next.
 *
 * @param words the schedule in words
 * @param zone whose clocks the local times are of
 * @param items the next fire times, fewer than asked for if there are no more
 * @param note what is to be known of all of them; null if nothing
 */
public record FireList(String words, ZoneId zone, List<Fire> items, @Nullable String note) {}
