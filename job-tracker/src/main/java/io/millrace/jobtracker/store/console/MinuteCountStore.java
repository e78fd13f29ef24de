package io.millrace.jobtracker.store.console;

import java.util.List;

/**
 * The events of each minute: each tracker keeps its own counts, and reads add them up. Less exact
 * than the ledger, which is the record: counts that a tracker has not written yet are lost when it
 * is killed.
 */
public interface MinuteCountStore {
  /** Stands for all node groups together, in place of a name. */
  String ALL_GROUPS = "";

  /** The length of a minute in milliseconds. */
  long MINUTE = 60_000;

  /**
   * The counts of a minute.
   *
   * @param nodeGroup or {@link #ALL_GROUPS}
   * @param minuteAt the start of the minute in epoch milliseconds
   */
  record MinuteCount(String nodeGroup, long minuteAt, Counts counts) {}

  /** Adds to the counts of this tracker in these minutes. */
  void add(int tracker, List<MinuteCount> counted);

  /**
   * Returns the minutes of a node group, or of all together, that began in [from, to), summed over
   * all trackers, in order; omits minutes without counts. One range read.
   */
  List<MinuteCount> minutes(String nodeGroup, long from, long to);

  /** Returns the sum of {@link #minutes}. */
  Counts sum(String nodeGroup, long from, long to);

  /** Deletes minutes that began before this instant, at most limit rows; returns how many. */
  int deleteBefore(long minuteAt, int limit);
}
