package io.millrace.jobtracker;

import io.millrace.common.model.TrackerHealth;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.console.ConsoleRooms;
import io.millrace.jobtracker.console.http.Refusals;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.ReplayResult;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.rpc.RequestRouter;
import io.millrace.jobtracker.store.Stores;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The rooms of a running tracker, as its console asks them. */
final class TrackerConsoleRooms implements ConsoleRooms {
  private final TrackerRuntime runtime;
  private final TrackerCore core;
  private final RequestRouter router;
  private final TrackerMetrics metrics;
  private final ZoneId defaultZone;

  TrackerConsoleRooms(
      TrackerRuntime runtime,
      TrackerCore core,
      RequestRouter router,
      TrackerMetrics metrics,
      ZoneId defaultZone) {
    this.runtime = runtime;
    this.core = core;
    this.router = router;
    this.metrics = metrics;
    this.defaultZone = defaultZone;
  }

  @Override
  public <R> CompletionStage<R> ask(Peer operator, Request<R> request) {
    return router.answer(operator, request);
  }

  @Override
  public CompletionStage<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by) {
    return core.replay(deadId, params, by);
  }

  @Override
  public TrackerHealth health() {
    return core.health();
  }

  @Override
  public String scrape() {
    return metrics.scrape();
  }

  @Override
  public ZoneId defaultZone() {
    return defaultZone;
  }

  @Override
  public Refusals refusals() {
    return reason -> metrics.consoleRefused(reason.name());
  }

  @Override
  public Stores stores() {
    return runtime.stores();
  }

  @Override
  public IdSequence ids() {
    return core.ids();
  }

  @Override
  public TimedExecutor time() {
    return runtime.time();
  }
}
