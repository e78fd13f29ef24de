package io.millrace.console.api.fleet;

import io.millrace.console.api.Paths;
import io.millrace.console.api.Times;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.console.GroupLoadStore;
import io.millrace.jobtracker.store.console.GroupLoadStore.GroupLoad;
import io.millrace.jobtracker.store.console.GroupLoadStore.LoadedGroup;
import io.millrace.jobtracker.store.console.NodeGroups;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes for node groups: their owners, backlogs and workers. */
public record GroupRoutes(GroupLoadStore groups, LiveTrackers trackers, Clock clock) {
  private static final Resource GROUPS = Resource.of("Node groups", Paths.V1 + "/groups");

  /**
   * A node group, as its owner last counted.
   *
   * @param owner number of the tracker that serves it, or served it last; null if there is none
   * @param address of the owner, for nodes; null if the owner is not alive
   * @param epoch increases with every change of owner
   * @param backlog triggers that are due and not claimed, counted up to a bound
   * @param atLeast whether the backlog may be larger than that
   * @param oldestDue when the oldest of the backlog became due; null if none is due
   * @param nextDue when the next waiting trigger becomes due; null if there is none
   * @param workers that pull for the group
   * @param draining workers of these that get no further work
   * @param slots total slots of the workers that report them
   * @param slotsInUse slots of these that are in use
   * @param executing executions in progress
   * @param countedAt when this was counted; null if it was not counted yet
   */
  public record GroupSummary(
      String name,
      @Nullable Integer owner,
      @Nullable String address,
      long epoch,
      long backlog,
      boolean atLeast,
      @Nullable Instant oldestDue,
      @Nullable Instant nextDue,
      int workers,
      int draining,
      int slots,
      int slotsInUse,
      int executing,
      @Nullable Instant countedAt) {}

  /** A page of node groups, in order of their names. */
  public record GroupPage(List<GroupSummary> items, @Nullable String next) {}

  /** The order of a list of node groups. */
  enum Order {
    NAME,
    /** The largest first; of equal ones by name. */
    BACKLOG
  }

  private static final Param<Order> ORDER =
      Param.query(
          "order",
          ParamForm.choice(Order.class),
          Order.NAME,
          "By name, or the largest backlogs first, which is one page");

  public List<Route> routes() {
    return List.of(
        GROUPS
            .get("", "listGroups", "Node groups, as they were counted a few seconds ago")
            .within(Scope.inAnswer("it lists the node groups of the token"))
            .with(Paths.NAME_CONTAINS, ORDER, Paths.AFTER, Paths.LIMIT)
            .answers(GroupPage.class, this::list),
        GROUPS
            .below("/{group}", Paths.GROUP)
            .get("", "getGroup", "A node group")
            .answers(GroupSummary.class, this::get));
  }

  private Object list(Call call) {
    int limit = call.get(Paths.LIMIT);
    NodeGroups allowed = call.caller().rights().groups();
    String contained = call.find(Paths.NAME_CONTAINS).orElse(null);
    boolean byBacklog = call.get(ORDER) == Order.BACKLOG;
    List<LoadedGroup> found =
        byBacklog
            ? largest(allowed, contained, limit)
            : page(allowed, contained, call.find(Paths.AFTER).orElse(""), limit);
    Map<Integer, Tracker> live = trackers.byNumber(clock.millis());
    return new GroupPage(
        found.stream().map(group -> summary(group, live)).toList(),
        byBacklog || found.size() < limit ? null : found.get(limit - 1).name());
  }

  private List<LoadedGroup> largest(NodeGroups allowed, @Nullable String contained, int limit) {
    String part = contained == null ? "" : contained.toLowerCase(Locale.ROOT);
    return groups.largestBacklogs(Integer.MAX_VALUE).stream()
        .filter(group -> allowed.include(group.name()))
        .filter(group -> group.name().toLowerCase(Locale.ROOT).contains(part))
        .limit(limit)
        .toList();
  }

  /** Returns the next node groups of these. Names of others are not in the page or its next. */
  private List<LoadedGroup> page(
      NodeGroups allowed, @Nullable String contained, String after, int limit) {
    List<LoadedGroup> page = new ArrayList<>();
    String above = after;
    while (page.size() < limit) {
      List<LoadedGroup> read =
          contained == null ? groups.list(above, limit) : groups.listLike(contained, above, limit);
      read.stream()
          .filter(group -> allowed.include(group.name()))
          .limit(limit - page.size())
          .forEach(page::add);
      if (read.size() < limit) {
        break;
      }
      above = read.get(limit - 1).name();
    }
    return page;
  }

  private Object get(Call call) {
    String name = call.get(Paths.GROUP);
    return groups
        .find(name)
        .map(group -> summary(group, trackers.byNumber(clock.millis())))
        .orElseThrow(() -> Kind.NOT_FOUND.because("there is no node group " + name));
  }

  static GroupSummary summary(LoadedGroup group, Map<Integer, Tracker> live) {
    Integer number = group.owner();
    Tracker owner = number == null ? null : live.get(number);
    String address = owner == null ? null : owner.address();
    GroupLoad load = group.load();
    return load == null
        ? new GroupSummary(
            group.name(), number, address, group.epoch(), 0, true, null, null, 0, 0, 0, 0, 0, null)
        : new GroupSummary(
            group.name(),
            number,
            address,
            group.epoch(),
            load.backlog(),
            load.atLeast(),
            Times.instant(load.oldestDueAt()),
            Times.instant(load.nextDueAt()),
            load.workers(),
            load.draining(),
            load.slots(),
            load.slotsInUse(),
            load.executing(),
            Instant.ofEpochMilli(load.observedAt()));
  }
}
