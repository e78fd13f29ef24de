package io.millrace.jobtracker;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.common.model.TrackerHealth;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What those who operate a tracker may ask of it; a console is built on this alone. Thread-safe.
 */
public interface TrackerOperations {

  /** Answers the request as if a client had sent it. */
  <R> CompletionStage<R> ask(Peer operator, Request<R> request);

  /**
   * Writes a new trigger in the place of a dead one.
   *
   * @param params other parameters; null for those of before
   * @param by who asks, for the record
   */
  CompletionStage<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by);

  /** How the tracker is, from memory. */
  TrackerHealth health();

  /** The tracker's meters, in the text format of Prometheus. */
  String scrape();

  /** The zone of cron expressions that name none. */
  ZoneId defaultZone();

  /** Where the tracker counts, and whoever operates it may count too. */
  MeterRegistry meters();

  /** What the tracker keeps. */
  Stores stores();

  /** Ids that no other row of the store has. */
  IdSequence ids();

  /** The tracker's clock, timer and threads. */
  TimedExecutor time();
}
