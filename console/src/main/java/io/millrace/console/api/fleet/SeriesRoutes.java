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
  /** One day at one point a minute, or sixty days by the hour. */
  static final int MOST_POINTS = 1_440;

  private static final int MOST_MINUTES_A_POINT = 1_440;
  private static final long HOUR = MinuteCountStore.HOUR;
  private static final long WEEK = 7 * 24 * HOUR;

  private static final Param<Instant> FROM =
      Param.query(
          "from", ParamForm.instant(), "Start of the period; default: an hour before its end");
  private static final Param<Instant> FROM_HOUR =
      Param.query(
          "from", ParamForm.instant(), "Start of the period; default: seven days before its end");
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

  /**
   * Hours of UTC, without those in which nothing was counted.
   *
   * @param group the node group; null for all groups together
   * @param from start of the first hour that was looked at
   * @param to end of the last one
   */
  public record HourlySeries(
      @Nullable String group, Instant from, Instant to, List<SeriesPoint> points) {}

  public List<Route> routes() {
    return List.of(
        Resource.of("Overview", Paths.V1 + "/series")
            .get("", "series", "Activity over time, stored for two days")
            .with(FROM, TO, OF_GROUP, STEP)
            .answers(Series.class, this::series),
        Resource.of("Overview", Paths.V1 + "/series/hours")
            .get("", "hourlySeries", "Activity by the hour, stored for counts.keep (35 days)")
            .with(FROM_HOUR, TO, OF_GROUP)
            .answers(HourlySeries.class, this::hourly));
  }

  private Object series(Call call) {
    String group = group(call);
    int step = call.get(STEP);
    Span span = span(call, FROM, HOUR);
    return read(
        group,
        span.first(MinuteCountStore.MINUTE),
        step,
        span.points(MinuteCountStore.MINUTE, step));
  }

  private Object hourly(Call call) {
    String group = group(call);
    Span span = span(call, FROM_HOUR, WEEK);
    long first = span.first(HOUR);
    long end = first + span.points(HOUR, 60) * HOUR;
    String of = group == null ? MinuteCountStore.ALL_GROUPS : group;
    List<SeriesPoint> points =
        stores.counts().hours(of, first, end).stream()
            .map(hour -> point(hour.hourAt(), hour.counts()))
            .toList();
    return new HourlySeries(group, Instant.ofEpochMilli(first), Instant.ofEpochMilli(end), points);
  }

  private @Nullable String group(Call call) {
    String group = call.find(OF_GROUP).orElse(null);
    if (group != null && stores.groups().find(group).isEmpty()) {
      throw Kind.NOT_FOUND.because("there is no node group " + group);
    }
    return group;
  }

  /** A span of time in epoch milliseconds. */
  private record Span(long from, long to) {

    /** The start of the unit that it begins in. */
    long first(long unit) {
      return from - Math.floorMod(from, unit);
    }

    /** How many steps of so many minutes there are from {@link #first}; throws if too many. */
    int points(long unit, int step) {
      long points = Math.floorDiv(to - first(unit) - 1, step * MinuteCountStore.MINUTE) + 1;
      if (points > MOST_POINTS) {
        throw Kind.BAD_REQUEST.because(
            "from %s to %s by %d minutes are %,d points; the limit is %,d"
                .formatted(
                    Instant.ofEpochMilli(from),
                    Instant.ofEpochMilli(to),
                    step,
                    points,
                    MOST_POINTS));
      }
      return (int) points;
    }
  }

  private Span span(Call call, Param<Instant> start, long usual) {
    long to = call.find(TO).map(Times::clampedMillis).orElseGet(clock::millis);
    long from = call.find(start).map(Times::clampedMillis).orElse(to - usual);
    if (from >= to) {
      throw Kind.BAD_REQUEST.because("from must be before to");
    }
    return new Span(from, to);
  }

  private static SeriesPoint point(long at, Counts counts) {
    return new SeriesPoint(Instant.ofEpochMilli(at), ActivityCounts.of(counts));
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
      series.add(point(first + point * stepMillis, sums[point]));
    }
    return new Series(
        group, Instant.ofEpochMilli(first), Instant.ofEpochMilli(end), step, List.copyOf(series));
  }
}
