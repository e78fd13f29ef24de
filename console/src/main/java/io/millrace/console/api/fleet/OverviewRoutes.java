package io.millrace.console.api.fleet;

import io.millrace.common.time.Clock;
import io.millrace.console.api.Paths;
import io.millrace.console.http.Call;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How everything is, at a glance: what runs, and what is late and why. */
public final class OverviewRoutes {
  /** Groups that are named as late. */
  private static final int MOST_LATE = 10;

  /** What was due for less than this is on its way: the count itself is some seconds old. */
  private static final Duration LATE = Duration.ofSeconds(10);

  /** What counts as now, for rates and lateness. */
  private static final Duration LATELY = Duration.ofMinutes(5);

  private static final List<Of> ENDS =
      List.of(Of.SUCCEEDED, Of.FAILED, Of.DEAD, Of.CANCELLED, Of.SKIPPED);

  private final FleetStores fleet;
  private final TrackerStore trackers;
  private final Clock clock;

  public OverviewRoutes(Stores stores, Clock clock) {
    this.fleet = stores.console().fleet();
    this.trackers = stores.trackers();
    this.clock = clock;
  }

  /** Why what is due in a node group is not drawn. */
  public enum LateReason {
    /** No live tracker serves the group; one takes it over soon. */
    NO_OWNER,
    /** No worker pulls for it. */
    NO_WORKER,
    /** An operator has said of all its workers that they get no further work. */
    ALL_DRAINING,
    /** Its workers have all they can run. */
    NO_FREE_SLOT,
    /** Workers ask for work, and it is handed out. */
    BEING_DRAWN
  }

  /**
   * A node group in which something is late.
   *
   * @param since since when the first of it has been due
   * @param backlog triggers that are due and wait, counted up to a bound
   * @param atLeast whether there may be more
   * @param text the reason in a sentence
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
   * What happens now: over the last five minutes.
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
   * How everything is.
   *
   * @param backlog triggers that are due and wait, in all node groups
   * @param backlogAtLeast whether there may be more
   * @param executing executions under way
   * @param groups node groups that were counted
   * @param trackers that live
   * @param late the groups in which something has been due for longest, ten at most
   */
  public record Overview(
      Instant at,
      Pace now,
      Happened lastHour,
      Happened lastDay,
      long backlog,
      boolean backlogAtLeast,
      long executing,
      long groups,
      long workers,
      long drainingWorkers,
      long slots,
      long slotsInUse,
      int trackers,
      List<LateGroup> late) {}

  public List<Route> routes() {
    return List.of(
        Route.get(Paths.V1 + "/overview", "overview", "What runs, and what is late and why")
            .about("Overview")
            .answers(Overview.class)
            .by(this::overview));
  }

  private Object overview(Call call) {
    long now = clock.millis();
    Totals totals = fleet.groups().totals();
    Set<Integer> live =
        trackers.live(now).stream().map(Tracker::number).collect(Collectors.toSet());
    return new Overview(
        Instant.ofEpochMilli(now),
        pace(now),
        Happened.of(since(now, Duration.ofHours(1))),
        Happened.of(since(now, Duration.ofDays(1))),
        totals.backlog(),
        totals.atLeast(),
        totals.executing(),
        totals.groups(),
        totals.workers(),
        totals.draining(),
        totals.slots(),
        totals.slotsInUse(),
        live.size(),
        fleet.groups().mostOverdue(now - LATE.toMillis(), MOST_LATE).stream()
            .map(group -> late(group, live, now))
            .toList());
  }

  private Counts since(long now, Duration length) {
    return fleet.counts().sum(MinuteCountStore.ALL_GROUPS, begin(now, length), now);
  }

  /** The minute under way is not over, so whole minutes before it make up for it. */
  private static long begin(long now, Duration length) {
    long before = now - length.toMillis();
    return before - Math.floorMod(before, MinuteCountStore.MINUTE);
  }

  private Pace pace(long now) {
    Counts lately = since(now, LATELY);
    long millis = now - begin(now, LATELY);
    return new Pace(
        Happened.average(1_000 * lately.get(Of.STARTED), millis),
        Happened.average(1_000 * lately.sum(ENDS), millis),
        Happened.average(lately.get(Of.LATE_SUM), lately.get(Of.STARTED)),
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
      case ALL_DRAINING -> ofWorkers + " drains, and gets no further work until that is ended.";
      case NO_FREE_SLOT -> ofWorkers + " is busy or drains: no slot is free.";
      case BEING_DRAWN -> "Its workers ask for more work, and draw it.";
    };
  }
}
