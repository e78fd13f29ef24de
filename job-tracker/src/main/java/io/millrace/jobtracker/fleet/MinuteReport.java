package io.millrace.jobtracker.fleet;

import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Adds the counts since the last run to the minute in which it runs. Counts that could not be
 * written are added with the next run. Driven by one timer, which never overlaps itself.
 */
public final class MinuteReport {
  private final MinuteCountStore store;
  private final int tracker;
  private final Supplier<Map<String, Counts>> counted;
  private final Map<String, Counts> written = new HashMap<>();

  /**
   * Counts that were not written yet; keeps their maxima, which {@code counted} returns only once.
   */
  private final Map<String, Counts> unwritten = new HashMap<>();

  /**
   * @param tracker number of this tracker
   * @param counted the counts of each node group since the tracker started; of the maxima, those
   *     since the last call
   */
  public MinuteReport(MinuteCountStore store, int tracker, Supplier<Map<String, Counts>> counted) {
    this.store = store;
    this.tracker = tracker;
    this.counted = counted;
  }

  /** Writes the new counts, in one batch. */
  public void runOnce(long now) {
    Map<String, Counts> all = counted.get();
    long minute = now - Math.floorMod(now, MinuteCountStore.MINUTE);
    List<MinuteCount> news = new ArrayList<>();
    Counts together = Counts.NONE;
    for (Map.Entry<String, Counts> group : all.entrySet()) {
      String name = group.getKey();
      Counts since =
          group
              .getValue()
              .since(written.getOrDefault(name, Counts.NONE))
              .withMaximaOf(unwritten.getOrDefault(name, Counts.NONE));
      if (!since.isNothing()) {
        unwritten.put(name, since);
        news.add(new MinuteCount(name, minute, since));
        together = together.plus(since);
      }
    }
    if (news.isEmpty()) {
      return;
    }
    news.add(new MinuteCount(MinuteCountStore.ALL_GROUPS, minute, together));
    store.add(tracker, news);
    written.putAll(all);
    unwritten.clear();
  }
}
