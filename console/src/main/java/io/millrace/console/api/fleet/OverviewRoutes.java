package io.millrace.console.api.fleet;

import io.millrace.console.api.Paths;
import io.millrace.console.api.fleet.GroupRoutes.GroupSummary;
import io.millrace.console.http.Call;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.codec.Flattened;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.GroupLoadStore.GroupLoad;
import io.millrace.jobtracker.store.console.GroupLoadStore.LoadedGroup;
import io.millrace.jobtracker.store.console.GroupLoadStore.Totals;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The overview: what runs, and what is late and why. */
public record OverviewRoutes(FleetStores fleet, LiveTrackers trackers, Clock clock) {
  /** The most groups that are listed as late. */
  private static final int MOST_LATE = 100;

  /** The most groups that are listed by their backlog, and of those that are named. */
  private static final int MOST_GROUPS = 20;

  /** A shorter delay does not count as late, because the counts themselves are some seconds old. */
  private static final Duration LATE = Duration.ofSeconds(10);

  /** The span over which current rates and lateness are computed. */
  private static final Duration LATELY = Duration.ofMinutes(5);

  private static final List<Of> ENDS =
      List.of(Of.SUCCEEDED, Of.FAILED, Of.DEAD, Of.CANCELLED, Of.SKIPPED);

  /** Why due triggers of a node group are not claimed. */
  public enum LateReason {
    /** No live tracker serves the group; another one takes it over soon. */
    NO_OWNER,
    /** No worker pulls for the group. */
    NO_WORKER,
    /** An operator has set all its workers to drain. */
    ALL_DRAINING,
    /** Its workers ask for no further executions. */
    NO_FREE_SLOT,
    /** Workers ask for work and claim it. */
    BEING_DRAWN
  }

  /**
   * A node group with late triggers.
   *
   * @param since when the oldest trigger of the backlog became due
   * @param backlog triggers that are due and not claimed, counted up to a bound
   * @param atLeast whether the backlog may be larger than that
   * @param text the reason as a sentence
   */
  public record LateGroup(
      String name,
      Instant since,
      Duration lateBy,
      long backlog,
      boolean atLeast,
      LateReason reason,
      String text) {}

  /**
   * Rates and lateness over the last five minutes.
   *
   * @param startedPerSecond executions handed to workers
   * @param endedPerSecond triggers that ended
   */
  public record Pace(
      double startedPerSecond,
      double endedPerSecond,
      double averageLatenessMillis,
      long maxLatenessMillis) {}

  /**
   * The overview of all node groups, workers and trackers.
   *
   * @param totals the sums over all node groups
   * @param trackers number of live trackers
   * @param late the groups whose oldest trigger has been due longest, at most a hundred
   * @param largest the groups with the largest backlogs, the largest first, at most twenty
   * @param withoutWorkers names of the groups that no worker pulls for, at most the first twenty
   */
  public record Overview(
      Instant at,
      Pace now,
      ActivityCounts lastHour,
      ActivityCounts lastDay,
      @Flattened Totals totals,
      int trackers,
      List<LateGroup> late,
      List<GroupSummary> largest,
      List<String> withoutWorkers) {}

  public List<Route> routes() {
    return List.of(
        Resource.of("Overview", Paths.V1 + "/overview")
            .get("", "overview", "What is running, and what is late and why")
            .within(Scope.all("the overview counts what all node groups do; /series counts one"))
            .answers(Overview.class, this::overview));
  }

  private Object overview(Call call) {
    long now = clock.millis();
    long lateBefore = now - LATE.toMillis();
    Map<Integer, Tracker> live = trackers.byNumber(now);
    Totals totals = fleet.groups().totals(lateBefore);
    return new Overview(
        Instant.ofEpochMilli(now),
        pace(now),
        ActivityCounts.of(since(now, Duration.ofHours(1))),
        ActivityCounts.of(since(now, Duration.ofDays(1))),
        totals,
        live.size(),
        fleet.groups().mostOverdue(lateBefore, MOST_LATE).stream()
            .map(group -> late(group, live.keySet(), now))
            .toList(),
        fleet.groups().largestBacklogs(MOST_GROUPS).stream()
            .map(group -> GroupRoutes.summary(group, live))
            .toList(),
        totals.groupsWithoutWorkers() == 0
            ? List.of()
            : fleet.groups().withoutWorkers(MOST_GROUPS));
  }

  private Counts since(long now, Duration length) {
    return fleet.counts().sum(MinuteCountStore.ALL_GROUPS, begin(now, length), now);
  }

  /** The start of the span, rounded down to a whole minute, because counts are kept by minute. */
  private static long begin(long now, Duration length) {
    long before = now - length.toMillis();
    return before - Math.floorMod(before, MinuteCountStore.MINUTE);
  }

  private Pace pace(long now) {
    Counts lately = since(now, LATELY);
    long millis = now - begin(now, LATELY);
    return new Pace(
        ActivityCounts.average(1_000 * lately.get(Of.STARTED), millis),
        ActivityCounts.average(1_000 * lately.sum(ENDS), millis),
        ActivityCounts.average(lately.get(Of.LATE_SUM), lately.get(Of.STARTED)),
        lately.get(Of.LATE_MAX));
  }

  private static LateGroup late(LoadedGroup group, Set<Integer> live, long now) {
    GroupLoad load = group.load();
    Long oldest = load == null ? null : load.oldestDueAt();
    long since = oldest == null ? now : oldest;
    LateReason reason = reason(group.owner(), load, live);
    return new LateGroup(
        group.name(),
        Instant.ofEpochMilli(since),
        Duration.ofMillis(Math.max(0, now - since)),
        load == null ? 0 : load.backlog(),
        load == null || load.atLeast(),
        reason,
        text(reason, load));
  }

  private static LateReason reason(
      @Nullable Integer owner, @Nullable GroupLoad load, Set<Integer> live) {
    if (owner == null || !live.contains(owner) || load == null) {
      return LateReason.NO_OWNER;
    }
    if (load.workers() == 0) {
      return LateReason.NO_WORKER;
    }
    if (load.draining() == load.workers()) {
      return LateReason.ALL_DRAINING;
    }
    return load.freeSlots() == 0 ? LateReason.NO_FREE_SLOT : LateReason.BEING_DRAWN;
  }

  private static String text(LateReason reason, @Nullable GroupLoad load) {
    int workers = load == null ? 0 : load.workers();
    String ofWorkers = workers == 1 ? "Its worker" : "Each of its " + workers + " workers";
    return switch (reason) {
      case NO_OWNER -> "No live tracker serves it; one takes it over within the tracker lease.";
      case NO_WORKER -> "No worker pulls for it.";
      case ALL_DRAINING ->
          ofWorkers + " is draining, and gets no further work until the draining is ended.";
      case NO_FREE_SLOT -> ofWorkers + " is busy or draining: no slot is free.";
      case BEING_DRAWN -> "Its workers ask for more work, and are getting it.";
    };
  }
}
