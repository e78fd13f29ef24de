package io.millrace.console.api.fleet;

import io.millrace.console.api.Paths;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.console.GroupLoadStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The route for the trackers of the database. */
public record TrackerRoutes(TrackerStore trackers, GroupLoadStore groups, Clock clock) {
  private static final Param<Integer> ABOVE =
      Param.query(
          "after", ParamForm.integer(-1, 1_023), -1, "The 'next' of the previous page, a number");

  /**
   * A tracker.
   *
   * @param number the leased number, which its ids contain
   * @param id of its process
   * @param address for nodes
   * @param leaseUntil when its lease expires unless it renews the lease
   * @param alive whether the lease has not expired
   * @param groups number of node groups that it owns; for a tracker that is not alive, those that
   *     no other tracker has taken yet
   * @param featureLevel how much its software knows: jobs that need more are rejected
   */
  public record TrackerSummary(
      int number,
      String id,
      String address,
      Instant leaseUntil,
      boolean alive,
      long groups,
      int featureLevel) {}

  /** A page of trackers, ordered by number. */
  public record TrackerPage(List<TrackerSummary> items, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        Resource.of("Trackers", Paths.V1 + "/trackers")
            .get("", "listTrackers", "Live trackers, and dead ones whose number is not reused yet")
            .within(Scope.all("trackers serve all node groups"))
            .with(ABOVE, Paths.LIMIT)
            .answers(TrackerPage.class, this::list));
  }

  private Object list(Call call) {
    int limit = call.get(Paths.LIMIT);
    List<Tracker> page = trackers.list(call.get(ABOVE), limit);
    Map<Integer, Long> owned = groups.groupsByOwner();
    long now = clock.millis();
    return new TrackerPage(
        page.stream().map(tracker -> summary(tracker, owned, now)).toList(),
        page.size() < limit ? null : String.valueOf(page.get(limit - 1).number()));
  }

  private static TrackerSummary summary(Tracker tracker, Map<Integer, Long> owned, long now) {
    return new TrackerSummary(
        tracker.number(),
        tracker.trackerId(),
        tracker.address(),
        Instant.ofEpochMilli(tracker.leaseUntil()),
        tracker.leaseUntil() > now,
        owned.getOrDefault(tracker.number(), 0L),
        tracker.featureLevel());
  }
}
