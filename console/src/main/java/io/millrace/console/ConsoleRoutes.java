package io.millrace.console;

import io.millrace.console.api.DocumentRoutes;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.Timetable;
import io.millrace.console.api.batch.BatchRoutes;
import io.millrace.console.api.bulk.BulkChanges;
import io.millrace.console.api.bulk.BulkRoutes;
import io.millrace.console.api.dead.DeadRoutes;
import io.millrace.console.api.dead.FailureRoutes;
import io.millrace.console.api.dead.ReplayRoutes;
import io.millrace.console.api.fleet.GroupRoutes;
import io.millrace.console.api.fleet.HealthRoutes;
import io.millrace.console.api.fleet.OverviewRoutes;
import io.millrace.console.api.fleet.SeriesRoutes;
import io.millrace.console.api.fleet.TrackerRoutes;
import io.millrace.console.api.fleet.WorkerRoutes;
import io.millrace.console.api.history.ExecutionRoutes;
import io.millrace.console.api.history.HistoryRoutes;
import io.millrace.console.api.history.LogRoutes;
import io.millrace.console.api.job.JobChangeRoutes;
import io.millrace.console.api.job.JobDetails;
import io.millrace.console.api.job.JobRoutes;
import io.millrace.console.api.job.ScheduleRoutes;
import io.millrace.console.api.list.Counting;
import io.millrace.console.api.operator.AuditRoutes;
import io.millrace.console.api.operator.Cookies;
import io.millrace.console.api.operator.ProviderRoutes;
import io.millrace.console.api.operator.SessionRoutes;
import io.millrace.console.api.operator.TokenRoutes;
import io.millrace.console.api.trigger.TriggerRoutes;
import io.millrace.console.api.trigger.UpcomingRoutes;
import io.millrace.console.api.version.VersionRoutes;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.OperatorStore;
import java.util.List;
import java.util.stream.Stream;

/** Collects all routes of the API. */
final class ConsoleRoutes {
  private ConsoleRoutes() {}

  /** All routes of a tracker's console. */
  static List<Route> of(
      ConsoleConfig config,
      TrackerOperations tracker,
      OperatorAccess access,
      BulkChanges bulkChanges) {
    Stores stores = tracker.stores();
    FleetStores fleet = stores.console().fleet();
    OperatorStore operators = stores.console().operators();
    Clock clock = tracker.time().clock();
    Counting counting = new Counting(clock);
    Timetable timetable = new Timetable(tracker.defaultZone());
    JobFinder finder = new JobFinder(stores);
    JobDetails details = new JobDetails(stores, timetable, clock);
    OperatorRequests requests = new OperatorRequests(tracker);
    Cookies cookies = new Cookies(config.tls() != null);
    return Stream.of(
            new SessionRoutes(access.sessions(), cookies).routes(),
            new ProviderRoutes(access.provider(), cookies).routes(),
            new TokenRoutes(operators, access.tokens(), access.uses(), clock).routes(),
            new AuditRoutes(stores.console().audit()).routes(),
            new JobRoutes(stores, finder, details, counting, requests, timetable, clock).routes(),
            new JobChangeRoutes(finder, details, requests).routes(),
            new VersionRoutes(stores, finder).routes(),
            new ScheduleRoutes(timetable, clock).routes(),
            new TriggerRoutes(stores, counting, finder, clock).routes(),
            new ExecutionRoutes(stores, finder, counting, requests).routes(),
            new BatchRoutes(stores, finder, requests).routes(),
            new HistoryRoutes(stores, counting, finder).routes(),
            new LogRoutes(stores, tracker.time()).routes(),
            new FailureRoutes(stores.dead(), stores.ledger()).routes(),
            new DeadRoutes(stores, counting, clock).routes(),
            new ReplayRoutes(stores.dead(), requests, clock).routes(),
            new BulkRoutes(bulkChanges, finder, clock).routes(),
            new GroupRoutes(fleet.groups(), stores.liveTrackers(), clock).routes(),
            new WorkerRoutes(fleet.workers(), stores.executing(), clock).routes(),
            new TrackerRoutes(stores.trackers(), fleet.groups(), clock).routes(),
            new OverviewRoutes(fleet, stores.liveTrackers(), clock).routes(),
            new SeriesRoutes(fleet, clock).routes(),
            new UpcomingRoutes(stores, finder, timetable, clock).routes(),
            new HealthRoutes(tracker::health, tracker::scrape).routes(),
            new DocumentRoutes().routes())
        .flatMap(List::stream)
        .toList();
  }
}
