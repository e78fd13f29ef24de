package io.millrace.console.api.trigger;

import io.millrace.console.api.JobFinder;
import io.millrace.console.api.Languages;
import io.millrace.console.api.Paths;
import io.millrace.console.api.Timetable;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The route for the jobs that will run soon. */
public record UpcomingRoutes(Stores stores, JobFinder finder, Timetable timetable, Clock clock) {
  private static final int LONGEST_MINUTES = 180;

  private static final Param<Integer> MINUTES =
      Param.query(
          "minutes", ParamForm.integer(1, LONGEST_MINUTES), 60, "Length of the period, from now");

  private static final Param<Integer> FIRST =
      Param.query(
          "first",
          ParamForm.integer(0, Integer.MAX_VALUE),
          0,
          "How many jobs come before the page; the last job is listed if there are fewer");

  /**
   * The jobs that will run in a span of time, and a page of them.
   *
   * @param asOf the tracker's time; triggers due before it are late and not listed
   * @param until triggers due later are not listed
   * @param complete false if the search reached its bounds, so jobs may be missing
   * @param jobs how many were found
   * @param perMinute how many of their fire times lie in each minute, the first of which begins at
   *     asOf; of a job, at most 60 are counted
   * @param more whether a job is due more often within the span than is counted
   * @param first how many of the jobs come before the page
   * @param items of the page, ordered by first fire time
   */
  public record Upcoming(
      Instant asOf,
      Instant until,
      boolean complete,
      int jobs,
      List<Integer> perMinute,
      boolean more,
      int first,
      List<UpcomingJob> items) {}

  /**
   * A job that will run.
   *
   * @param recurring whether it is a recurring job; otherwise it is a one-shot
   * @param handler name of its runner; null for the worker's only runner
   * @param scheduleInWords null for a one-shot
   * @param fires when it is due, ascending: by its schedule, for retries and for extra runs; at
   *     most 60
   * @param more whether it is due more often within the span
   */
  public record UpcomingJob(
      String nodeGroup,
      String taskId,
      boolean recurring,
      int priority,
      @Nullable String handler,
      @Nullable String scheduleInWords,
      List<Instant> fires,
      boolean more) {

    /** The same job with its schedule in words. */
    UpcomingJob scheduled(String words) {
      return new UpcomingJob(nodeGroup, taskId, recurring, priority, handler, words, fires, more);
    }
  }

  public List<Route> routes() {
    return List.of(
        Resource.of("Overview", Paths.V1 + "/upcoming")
            .get("", "upcoming", "Planned runs of the near future")
            .with(Paths.OF_GROUP, Paths.CONTAINS, MINUTES, Languages.LANGUAGE, FIRST, Paths.LIMIT)
            .answers(Upcoming.class, this::upcoming));
  }

  /** One transaction: each of the many reads would otherwise have one of its own. */
  private Object upcoming(Call call) {
    return stores.transactions().repeating("find what will run soon", () -> search(call));
  }

  private Upcoming search(Call call) {
    Instant now = Instant.ofEpochMilli(clock.millis());
    Instant until = now.plus(Duration.ofMinutes(call.get(MINUTES)));
    String contained = call.find(Paths.CONTAINS).orElse("");
    UpcomingSearch search = new UpcomingSearch(stores, timetable, contained, now, until);
    Optional<String> group = call.find(Paths.OF_GROUP);
    if (group.isPresent()) {
      finder.requireGroup(group.get());
      search.lookAt(group.get());
    } else {
      stores.nodeGroups().all().stream().map(NodeGroup::name).sorted().forEach(search::lookAt);
    }
    return search.page(call.get(FIRST), call.get(Paths.LIMIT), call.get(Languages.LANGUAGE));
  }
}
