package io.millrace.jobtracker.complete;

import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.ExecutionCompletions;
import io.millrace.jobtracker.pipeline.PipelineBounds;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.pipeline.WaitingBytes;
import io.millrace.jobtracker.pipeline.WritePipeline;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.Stores;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Receives ends of executions, from workers and from the tracker itself, and commits them in
 * batches, with one pipeline per node group. A result that cannot be stored does not prevent the
 * acknowledgement of the other results in the report. A worker's group is the group of its
 * connection. Thread-safe.
 */
public final class CompletionService implements ExecutionCompletions {
  private static final int MAX_BATCH = 256;
  private static final int MAX_WAITING = 20_000;

  /** The highest number of bytes of messages and results that one transaction stores. */
  private static final long MAX_BATCH_BYTES = 8 << 20;

  /**
   * The highest number of bytes of messages and results that wait to be stored, for all node groups
   * together.
   */
  private static final long MAX_WAITING_BYTES = 64 << 20;

  private final StoreQuotas quotas;
  private final TimedExecutor time;
  private final UnstorableResults unstorable = new UnstorableResults();
  private final WritePipeline.PerGroup<AttemptOutcome, CompletionStatus> pipelines;

  /**
   * Makes a service and its parts.
   *
   * @param tracker this tracker's number
   * @param quotas whether there is room for more results
   * @param refusal returns why nothing may be stored that needs a feature level; null if it may
   */
  public static CompletionService of(
      int tracker,
      EngineContext engine,
      StoreQuotas quotas,
      Function<FeatureLevel, @Nullable String> refusal) {
    Stores stores = engine.stores();
    IdSequence ids = engine.ids();
    CompletionRules rules = new CompletionRules(engine.timers().random());
    CompletionWriter writer =
        new CompletionWriter(
            stores,
            new CompletionRecorder(stores, ids),
            rules,
            new ChainedTriggers(stores, engine.planner(), ids),
            new HeldTriggers(stores.jobs(), stores.waiting(), ids),
            ids);
    return new CompletionService(
        new ExecutionCompleter(engine, rules, writer, quotas, tracker),
        new AdmittedSplits(refusal),
        quotas,
        engine.time());
  }

  private CompletionService(
      ExecutionCompleter completer, AdmittedSplits splits, StoreQuotas quotas, TimedExecutor time) {
    this.quotas = quotas;
    this.time = time;
    PipelineBounds<AttemptOutcome> bounds =
        new PipelineBounds<>(
            MAX_BATCH,
            MAX_BATCH_BYTES,
            MAX_WAITING,
            new WaitingBytes(MAX_WAITING_BYTES),
            CompletionService::bytes);
    this.pipelines =
        new WritePipeline.PerGroup<>(
            "complete",
            time.executor(),
            bounds,
            (group, ends) -> completer.end(group, splits.admitted(ends)));
  }

  /**
   * Records a worker's results. The reply is sent after the commit. It fails only if no result can
   * be stored now, for a temporary reason.
   */
  public CompletableFuture<CompleteReply> complete(Peer worker, CompleteRequest request) {
    if (request.results().size() > CompleteRequest.MAX_RESULTS) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.BAD_REQUEST,
              "a request can have at most " + CompleteRequest.MAX_RESULTS + " results"));
    }
    long now = time.monotonicMillis();
    List<Long> kept =
        request.results().stream()
            .map(ExecutionResult::executionId)
            .filter(id -> unstorable.isKeptBack(id, now))
            .toList();
    List<AttemptOutcome> ends =
        request.results().stream()
            .filter(result -> !kept.contains(result.executionId()))
            .map(result -> reported(result, worker))
            .toList();
    List<CompletableFuture<CompletionStatus>> answers = end(worker.group(), ends);
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .handle((unused, failure) -> reply(request, ends, answers));
  }

  private AttemptOutcome reported(ExecutionResult result, Peer worker) {
    return new AttemptOutcome.Reported(
        ReportedResult.checked(result, quotas.faultOfResults()), worker.nodeId());
  }

  private CompleteReply reply(
      CompleteRequest request,
      List<AttemptOutcome> ends,
      List<CompletableFuture<CompletionStatus>> answers) {
    Map<Long, CompletionStatus> statuses = new HashMap<>();
    @Nullable Throwable passing = null;
    for (int i = 0; i < ends.size(); i++) {
      long executionId = ends.get(i).executionId();
      Throwable failure = failureOf(answers.get(i));
      if (failure == null) {
        statuses.put(executionId, answers.get(i).join());
        unstorable.stored(executionId);
      } else if (TransientFailures.isTransient(failure)) {
        passing = failure;
      } else {
        statuses.put(executionId, CompletionStatus.TRY_AGAIN);
        unstorable.failed(executionId, failure, time.monotonicMillis());
      }
    }
    if (statuses.isEmpty() && passing != null) {
      throw new CompletionException(passing);
    }
    return new CompleteReply(
        request.results().stream()
            .map(result -> statuses.getOrDefault(result.executionId(), CompletionStatus.TRY_AGAIN))
            .toList());
  }

  private static @Nullable Throwable failureOf(CompletableFuture<CompletionStatus> answer) {
    Throwable failure = answer.handle((unused, thrown) -> thrown).join();
    return failure == null ? null : Completions.causeOf(failure);
  }

  @Override
  public List<CompletableFuture<CompletionStatus>> end(
      String nodeGroup, List<AttemptOutcome> ends) {
    return pipelines.writeAll(nodeGroup, ends);
  }

  /** The highest number of bytes of an end's message and result; the rest of an end is small. */
  private static long bytes(AttemptOutcome end) {
    return end instanceof AttemptOutcome.Reported reported ? reported.result().textBytes() : 0;
  }
}
