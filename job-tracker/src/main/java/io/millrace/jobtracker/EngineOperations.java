package io.millrace.jobtracker;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.api.TrackerHealth;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.request.RequestTable;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.wiring.Engine;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The operations on a running tracker. */
final class EngineOperations implements TrackerOperations {
  private final TrackerRuntime runtime;
  private final Engine engine;
  private final RequestTable requests;
  private final TrackerMetrics metrics;
  private final ZoneId defaultZone;

  EngineOperations(
      TrackerRuntime runtime,
      Engine engine,
      RequestTable requests,
      TrackerMetrics metrics,
      ZoneId defaultZone) {
    this.runtime = runtime;
    this.engine = engine;
    this.requests = requests;
    this.metrics = metrics;
    this.defaultZone = defaultZone;
  }

  @Override
  public <R> CompletionStage<R> ask(Peer operator, Request<R> request) {
    return requests.answer(operator, request);
  }

  @Override
  public CompletionStage<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by) {
    return engine.replay(deadId, params, by);
  }

  @Override
  public CompletionStage<ReplayResult> replayKeeping(long deadId, String by) {
    return engine.replayKeeping(deadId, by);
  }

  @Override
  public TrackerHealth health() {
    return engine.health();
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
  public MeterRegistry meters() {
    return metrics.registry();
  }

  @Override
  public Stores stores() {
    return runtime.stores();
  }

  @Override
  public IdSequence ids() {
    return engine.ids();
  }

  @Override
  public TimedExecutor time() {
    return runtime.time();
  }
}
