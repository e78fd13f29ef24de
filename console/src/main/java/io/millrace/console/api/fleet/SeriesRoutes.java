package io.millrace.console.api.fleet;

import io.millrace.console.api.Paths;
import io.millrace.console.api.Times;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Time series of counts, for charts. */
public record SeriesRoutes(FleetStores stores, Clock clock) {
  /** One day at one point a minute. */
  static final int MOST_POINTS = 1_440;

  private static final int MOST_MINUTES_A_POINT = 1_440;
  private static final long HOUR = 60 * MinuteCountStore.MINUTE;

  private static final Param<Instant> FROM =
      Param.query(
          "from", ParamForm.instant(), "Start of the period; default: an hour before its end");
  private static final Param<Instant> TO =
      Param.query("to", ParamForm.instant(), "End of the period; default: now");
  private static final Param<String> OF_GROUP =
      Param.query("group", ParamForm.text(64), "Only this node group");
  private static final Param<Integer> STEP =
      Param.query("step", ParamForm.integer(1, MOST_MINUTES_A_POINT), 1, "Minutes in a point");

  /** The counts of the minutes that start at this instant. */
  public record SeriesPoint(Instant at, ActivityCounts happened) {}

  /**
   * A time series with a point for every step, also where nothing happened.
   *
   * @param group the node group; null for all groups together
   * @param from start of the first point, a whole minute
   * @param to end of the last point
   * @param step minutes per point
   */
  public record Series(
      @Nullable String group, Instant from, Instant to, int step, List<SeriesPoint> points) {}

  public List<Route> routes() {
    return List.of(
        Resource.of("Overview", Paths.V1 + "/series")
            .get("", "series", "Activity over time, stored for two days")
            .with(FROM, TO, OF_GROUP, STEP)
            .answers(Series.class, this::series));
  }

  private Object series(Call call) {
    String group = call.find(OF_GROUP).orElse(null);
    if (group != null && stores.groups().find(group).isEmpty()) {
      throw Kind.NOT_FOUND.because("there is no node group " + group);
    }
    long to = call.find(TO).map(Times::clampedMillis).orElseGet(clock::millis);
    long from = call.find(FROM).map(Times::clampedMillis).orElse(to - HOUR);
    if (from >= to) {
      throw Kind.BAD_REQUEST.because("from must be before to");
    }
    int step = call.get(STEP);
    long first = from - Math.floorMod(from, MinuteCountStore.MINUTE);
    long stepMillis = step * MinuteCountStore.MINUTE;
    long points = Math.floorDiv(to - first - 1, stepMillis) + 1;
    if (points > MOST_POINTS) {
      throw Kind.BAD_REQUEST.because(
          "from %s to %s by %d minutes are %,d points; the limit is %,d"
              .formatted(
                  Instant.ofEpochMilli(from), Instant.ofEpochMilli(to), step, points, MOST_POINTS));
    }
    return read(group, first, step, (int) points);
  }

  private Series read(@Nullable String group, long first, int step, int points) {
    long stepMillis = step * MinuteCountStore.MINUTE;
    long end = first + points * stepMillis;
    Counts[] sums = new Counts[points];
    Arrays.fill(sums, Counts.NONE);
    String of = group == null ? MinuteCountStore.ALL_GROUPS : group;
    for (MinuteCount minute : stores.counts().minutes(of, first, end)) {
      int point = (int) ((minute.minuteAt() - first) / stepMillis);
      sums[point] = sums[point].plus(minute.counts());
    }
    List<SeriesPoint> series = new ArrayList<>(points);
    for (int point = 0; point < points; point++) {
      Instant at = Instant.ofEpochMilli(first + point * stepMillis);
      series.add(new SeriesPoint(at, ActivityCounts.of(sums[point])));
    }
    return new Series(
        group, Instant.ofEpochMilli(first), Instant.ofEpochMilli(end), step, List.copyOf(series));
  }
}
