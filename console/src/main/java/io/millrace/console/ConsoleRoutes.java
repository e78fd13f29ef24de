package io.millrace.console;

import io.millrace.common.time.Clock;
import io.millrace.console.api.DocumentRoutes;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.dead.DeadRoutes;
import io.millrace.console.api.dead.ReplayRoutes;
import io.millrace.console.api.fleet.GroupRoutes;
import io.millrace.console.api.fleet.HealthRoutes;
import io.millrace.console.api.fleet.MetricsRoutes;
import io.millrace.console.api.fleet.OverviewRoutes;
import io.millrace.console.api.fleet.SeriesRoutes;
import io.millrace.console.api.fleet.TrackerRoutes;
import io.millrace.console.api.fleet.WorkerRoutes;
import io.millrace.console.api.history.ExecutionRoutes;
import io.millrace.console.api.history.HistoryRoutes;
import io.millrace.console.api.history.LogRoutes;
import io.millrace.console.api.job.JobChangeRoutes;
import io.millrace.console.api.job.JobRoutes;
import io.millrace.console.api.job.ScheduleRoutes;
import io.millrace.console.api.operator.AuditRoutes;
import io.millrace.console.api.operator.SessionRoutes;
import io.millrace.console.api.operator.TokenRoutes;
import io.millrace.console.api.trigger.TriggerRoutes;
import io.millrace.console.api.trigger.UpcomingRoutes;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.store.console.ConsoleStores;
import java.util.List;
import java.util.stream.Stream;

/** Collects all routes of the API. */
final class ConsoleRoutes {
  private ConsoleRoutes() {}

  /** All routes of a tracker's console. */
  static List<Route> of(ConsoleConfig config, TrackerOperations tracker, OperatorAccess access) {
    ConsoleStores stores = tracker.stores().console();
    Clock clock = tracker.time().clock();
    OperatorRequests requests = new OperatorRequests(tracker);
    return Stream.of(
            new SessionRoutes(access.sessions(), config.tls() != null).routes(),
            new TokenRoutes(stores.operators(), access.tokens(), clock).routes(),
            new AuditRoutes(stores.audit()).routes(),
            new JobRoutes(tracker.stores(), requests, tracker.defaultZone(), clock).routes(),
            new JobChangeRoutes(tracker.stores(), requests, tracker.defaultZone(), clock).routes(),
            new ScheduleRoutes(tracker.defaultZone(), clock).routes(),
            new TriggerRoutes(tracker.stores(), clock).routes(),
            new ExecutionRoutes(tracker.stores(), requests).routes(),
            new HistoryRoutes(tracker.stores()).routes(),
            new LogRoutes(tracker.stores(), tracker.time()).routes(),
            new DeadRoutes(tracker.stores(), clock).routes(),
            new ReplayRoutes(tracker.stores(), tracker::replay, clock).routes(),
            new GroupRoutes(tracker.stores(), clock).routes(),
            new WorkerRoutes(tracker.stores(), clock).routes(),
            new TrackerRoutes(tracker.stores(), clock).routes(),
            new OverviewRoutes(tracker.stores(), clock).routes(),
            new SeriesRoutes(tracker.stores(), clock).routes(),
            new UpcomingRoutes(tracker.stores(), tracker.defaultZone(), clock).routes(),
            new HealthRoutes(tracker::health).routes(),
            new MetricsRoutes(tracker::scrape).routes(),
            new DocumentRoutes().routes())
        .flatMap(List::stream)
        .toList();
  }
}
