package io.millrace.jobtracker.store.console;

import java.util.List;

/**
 * The events of each minute: each tracker keeps its own counts, and reads add them up. Less exact
 * than the ledger, which is the record: counts that a tracker has not written yet are lost when it
 * is killed.
 *
 * <p>Old minutes become hours: they are moved, not copied, in one transaction. So at any time each
 * event is counted once, in its minute or in its hour, and the two together are the counts of an
 * hour, however late a minute is written.
 */
public interface MinuteCountStore {
  /** Stands for all node groups together, in place of a name. */
  String ALL_GROUPS = "";

  /** The length of a minute in milliseconds. */
  long MINUTE = 60_000;

  /** The length of an hour in milliseconds. */
  long HOUR = 60 * MINUTE;

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

  /**
   * Adds minutes that began before this instant to their hours and deletes them, at most limit
   * rows; returns how many.
   */
  int moveToHours(long before, int limit);

  /**
   * The counts of an hour.
   *
   * @param hourAt the start of the hour in epoch milliseconds; hours are those of UTC
   */
  record HourCount(long hourAt, Counts counts) {}

  /**
   * Returns the hours of a node group, or of all together, that began in [from, to), in order;
   * omits hours without counts. Two range reads of one statement: of hours, and of minutes that
   * were not moved yet.
   *
   * @param from start of an hour
   */
  List<HourCount> hours(String nodeGroup, long from, long to);

  /** Deletes hours that began before this instant, at most limit rows; returns how many. */
  int deleteHoursBefore(long before, int limit);
}
