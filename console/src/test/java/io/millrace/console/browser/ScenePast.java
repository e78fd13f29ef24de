package io.millrace.console.browser;

import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What another tracker has counted on the day before: the charts are those of a shop's day. */
final class ScenePast {
  private static final int ANOTHER_TRACKER = 77;
  private static final int MINUTES = 24 * 60;

  private ScenePast() {}

  static void write(MinuteCountStore store, Instant now) {
    long minute = now.toEpochMilli() / MinuteCountStore.MINUTE * MinuteCountStore.MINUTE;
    List<MinuteCount> counted = new ArrayList<>();
    for (int ago = 1; ago < MINUTES; ago++) {
      counted.add(
          new MinuteCount(
              MinuteCountStore.ALL_GROUPS, minute - ago * MinuteCountStore.MINUTE, minuteOf(ago)));
    }
    store.add(ANOTHER_TRACKER, counted);
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
    long started = succeeded + failed + dead;
    long late = isBad ? 420 + ago % 5 * 160 : 9 + ago % 6;
    return new Counts(
        Map.of(
            Of.PLANNED, started,
            Of.CLAIMED, started,
            Of.STARTED, started,
            Of.SUCCEEDED, succeeded,
            Of.FAILED, failed,
            Of.DEAD, dead,
            Of.LATE_SUM, started * late,
            Of.LATE_MAX, late * (isBad ? 4 : 3 + ago % 4),
            Of.RAN, started,
            Of.RUN_SUM, started * 45));
  }
}
