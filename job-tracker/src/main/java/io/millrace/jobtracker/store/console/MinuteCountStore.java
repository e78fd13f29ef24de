package io.millrace.jobtracker.store.console;

import java.util.List;

/**
 * What happened, by minute: kept by each tracker for itself, and added up when it is looked at.
 * Less exact than the ledger, which is the record: what a tracker has counted and not yet written
 * when it is killed is missing.
 */
public interface MinuteCountStore {
  /** In the place of a node group: all of them together. */
  String ALL_GROUPS = "";

  /** Length of a minute, in milliseconds. */
  long MINUTE = 60_000;

  /**
   * What was counted in a minute.
   *
   * @param nodeGroup or {@link #ALL_GROUPS}
   * @param minuteAt when the minute began, in epoch milliseconds
   */
  record MinuteCount(String nodeGroup, long minuteAt, Counts counts) {}

  /** Adds to what this tracker has counted in these minutes. */
  void add(int tracker, List<MinuteCount> counted);

  /**
   * The minutes of a node group, or of all together, that began in [from, to), over all trackers,
   * in order; those without counts are left out. One range read.
   */
  List<MinuteCount> minutes(String nodeGroup, long from, long to);

  /** The sum of {@link #minutes}. */
  Counts sum(String nodeGroup, long from, long to);

  /** Deletes minutes that began before this instant, at most limit rows; returns how many. */
  int deleteBefore(long minuteAt, int limit);
}
