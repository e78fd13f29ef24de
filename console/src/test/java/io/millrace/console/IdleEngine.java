package io.millrace.console;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.TrackerHealth;
import io.millrace.console.api.bulk.BulkChanges;
import io.millrace.console.http.Route;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Requests of a tracker that does nothing, over stores that do. */
record IdleEngine(Stores stores, IdSequence ids, TimedExecutor time) implements TrackerOperations {

  IdleEngine(Stores stores) {
    this(stores, new ManualClock(1_800_000_000_000L));
  }

  private IdleEngine(Stores stores, ManualClock clock) {
    this(
        stores,
        new IdSequence(1, 0),
        new TimedExecutor(clock, new ManualTimer(clock), Runnable::run));
  }

  /** The routes of a console of this engine. */
  List<Route> routes() {
    ConsoleConfig config = ConsoleConfig.onLoopback(0);
    OperatorAccess access = OperatorAccess.of(config, this);
    return ConsoleRoutes.of(config, this, access, new BulkChanges(this, access.changes()));
  }

  @Override
  public <R> CompletionStage<R> ask(Peer operator, Request<R> request) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException(request.toString()));
  }

  @Override
  public MeterRegistry meters() {
    return new SimpleMeterRegistry();
  }

  @Override
  public String scrape() {
    return "";
  }

  @Override
  public CompletionStage<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException("replay"));
  }

  @Override
  public CompletionStage<ReplayResult> replayKeeping(long deadId, String by) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException("replay"));
  }

  @Override
  public TrackerHealth health() {
    return new TrackerHealth("tracker", 1, "127.0.0.1:1", List.of(), null);
  }

  @Override
  public ZoneId defaultZone() {
    return ZoneOffset.UTC;
  }
}
