package io.millrace.jobtracker;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.api.TrackerHealth;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a tracker for its operators. A console uses this interface only. Thread-safe.
 */
public interface TrackerOperations {

  /** Answers the request as if a client had sent it. */
  <R> CompletionStage<R> ask(Peer operator, Request<R> request);

  /**
   * Writes a new trigger in place of a dead one.
   *
   * @param params new parameters; null for the job's current ones if the schedule made the trigger,
   *     or else the previous ones
   * @param by the name of the requester, to be recorded
   */
  CompletionStage<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by);

  /**
   * Replays a dead run that was split, without the parts that succeeded: the new run takes over
   * what they returned. Each dead trigger is replayed at most once.
   *
   * @param deadId the id of the dead trigger, which is the id of its batch
   * @param by the name of the requester, to be recorded
   */
  CompletionStage<ReplayResult> replayKeeping(long deadId, String by);

  /** The health of the tracker, from memory. */
  TrackerHealth health();

  /** The tracker's meters, in the text format of Prometheus. */
  String scrape();

  /** The time zone of cron expressions that name none. */
  ZoneId defaultZone();

  /** The registry in which the tracker counts; an operator may register meters in it too. */
  MeterRegistry meters();

  /** The stores of the tracker. */
  Stores stores();

  /** The sequence of ids, each unique in the store. */
  IdSequence ids();

  /** The tracker's clock, timer and threads. */
  TimedExecutor time();
}
