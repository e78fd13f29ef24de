package io.millrace.jobtracker.console;

import io.millrace.common.time.Clock;
import io.millrace.jobtracker.console.access.AccessRecord;
import io.millrace.jobtracker.console.access.OperatorTokens;
import io.millrace.jobtracker.console.access.Sessions;
import io.millrace.jobtracker.console.api.AuditRoutes;
import io.millrace.jobtracker.console.api.DeadRoutes;
import io.millrace.jobtracker.console.api.DocumentRoutes;
import io.millrace.jobtracker.console.api.ExecutionRoutes;
import io.millrace.jobtracker.console.api.GroupRoutes;
import io.millrace.jobtracker.console.api.HealthRoutes;
import io.millrace.jobtracker.console.api.HistoryRoutes;
import io.millrace.jobtracker.console.api.JobChangeRoutes;
import io.millrace.jobtracker.console.api.JobRoutes;
import io.millrace.jobtracker.console.api.LogRoutes;
import io.millrace.jobtracker.console.api.MetricsRoutes;
import io.millrace.jobtracker.console.api.OperatorRequests;
import io.millrace.jobtracker.console.api.OverviewRoutes;
import io.millrace.jobtracker.console.api.ReplayRoutes;
import io.millrace.jobtracker.console.api.ScheduleRoutes;
import io.millrace.jobtracker.console.api.SeriesRoutes;
import io.millrace.jobtracker.console.api.SessionRoutes;
import io.millrace.jobtracker.console.api.TokenRoutes;
import io.millrace.jobtracker.console.api.TrackerRoutes;
import io.millrace.jobtracker.console.api.TriggerRoutes;
import io.millrace.jobtracker.console.api.UpcomingRoutes;
import io.millrace.jobtracker.console.api.WorkerRoutes;
import io.millrace.jobtracker.console.http.Route;
import io.millrace.jobtracker.store.ConsoleStores;
import java.util.List;
import java.util.stream.Stream;

/** The table of contents of the API: every route there is. */
public final class ConsoleRoutes {
  private ConsoleRoutes() {}

  /** All routes of a tracker's console. */
  public static List<Route> of(ConsoleConfig config, ConsoleEngine rooms) {
    ConsoleStores stores = rooms.stores().console();
    Clock clock = rooms.time().clock();
    OperatorTokens tokens = new OperatorTokens(stores.operators(), rooms.ids(), clock);
    OperatorRequests requests = new OperatorRequests(rooms::ask, rooms.ids(), clock);
    AccessRecord record = new AccessRecord(stores.audit(), rooms.ids(), rooms.time());
    Sessions sessions = new Sessions(stores.operators(), clock, config.session(), record);
    return Stream.of(
            new SessionRoutes(sessions, config.tls() != null).routes(),
            new TokenRoutes(stores.operators(), tokens, clock).routes(),
            new AuditRoutes(stores.audit()).routes(),
            new JobRoutes(rooms.stores(), requests, rooms.defaultZone(), clock).routes(),
            new JobChangeRoutes(rooms.stores(), requests, rooms.defaultZone(), clock).routes(),
            new ScheduleRoutes(rooms.defaultZone(), clock).routes(),
            new TriggerRoutes(rooms.stores(), clock).routes(),
            new ExecutionRoutes(rooms.stores(), requests).routes(),
            new HistoryRoutes(rooms.stores()).routes(),
            new LogRoutes(rooms.stores(), rooms.time()).routes(),
            new DeadRoutes(rooms.stores(), clock).routes(),
            new ReplayRoutes(rooms.stores(), rooms::replay, clock).routes(),
            new GroupRoutes(rooms.stores(), clock).routes(),
            new WorkerRoutes(rooms.stores(), clock).routes(),
            new TrackerRoutes(rooms.stores(), clock).routes(),
            new OverviewRoutes(rooms.stores(), clock).routes(),
            new SeriesRoutes(rooms.stores(), clock).routes(),
            new UpcomingRoutes(rooms.stores(), rooms.defaultZone(), clock).routes(),
            new HealthRoutes(rooms::health).routes(),
            new MetricsRoutes(rooms::scrape).routes(),
            new DocumentRoutes().routes())
        .flatMap(List::stream)
        .toList();
  }
}
