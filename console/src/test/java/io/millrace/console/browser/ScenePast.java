package io.millrace.console.browser;

import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What another tracker has counted before: the charts are those of a shop's day, and its weeks. */
final class ScenePast {
  private static final int ANOTHER_TRACKER = 77;
  private static final int MINUTES = 24 * 60;
  private static final int DAYS = 28;

  private ScenePast() {}

  static void write(MinuteCountStore store, Instant now) {
    long minute = now.toEpochMilli() / MinuteCountStore.MINUTE * MinuteCountStore.MINUTE;
    List<MinuteCount> counted = new ArrayList<>();
    for (int ago = 1; ago < MINUTES; ago++) {
      counted.add(
          new MinuteCount(
              MinuteCountStore.ALL_GROUPS, minute - ago * MinuteCountStore.MINUTE, minuteOf(ago)));
    }
    long hour = minute - minute % MinuteCountStore.HOUR;
    for (int ago = 25; ago < DAYS * 24; ago++) {
      long at = hour - ago * MinuteCountStore.HOUR;
      counted.add(new MinuteCount(MinuteCountStore.ALL_GROUPS, at, hourOf(at, ago)));
    }
    store.add(ANOTHER_TRACKER, counted);
  }

  /** As on the day before, but quieter on days off, with a bad evening four days ago. */
  private static Counts hourOf(long at, int ago) {
    DayOfWeek day = Instant.ofEpochMilli(at).atZone(ZoneOffset.UTC).getDayOfWeek();
    boolean isBad = ago > 90 && ago < 95;
    double busy = 27_600 + 15_600 * Math.cos(2 * Math.PI * ago / 24);
    long succeeded = Math.round(day.getValue() > 5 ? 0.2 * busy : busy) + ago * 37 % 400;
    long failed = isBad ? succeeded / 9 : ago % 13 == 0 ? succeeded / 60 : ago % 5;
    return counts(succeeded, failed, isBad ? 40 : ago % 29 / 28, isBad ? 4_200 : 30 + ago % 60);
  }

  /** Busier by day than by night, with a bad quarter of an hour half an hour ago. */
  private static Counts minuteOf(int ago) {
    boolean isBad = ago > 28 && ago < 40;
    long succeeded =
        420
            + Math.round(260 * Math.cos(2 * Math.PI * ago / MINUTES))
            + ago * 37 % 90
            - (isBad ? 180 : 0);
    long failed = isBad ? 20 + ago % 7 * 5 : ago % 11 == 0 ? 2 : 0;
    long dead = isBad ? ago % 3 : 0;
    return counts(succeeded, failed, dead, isBad ? 420 + ago % 5 * 160 : 9 + ago % 6);
  }

  private static Counts counts(long succeeded, long failed, long dead, long late) {
    long started = succeeded + failed + dead;
    return new Counts(
        Map.of(
            Of.PLANNED, started,
            Of.CLAIMED, started,
            Of.STARTED, started,
            Of.SUCCEEDED, succeeded,
            Of.FAILED, failed,
            Of.DEAD, dead,
            Of.LATE_SUM, started * late,
            Of.LATE_MAX, late * (3 + succeeded % 4),
            Of.RAN, started,
            Of.RUN_SUM, started * 45));
  }
}
