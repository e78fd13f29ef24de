package io.millrace.jobtracker.kept;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.KeepReply;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.KeptReply;
import io.millrace.internal.protocol.KeptRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.pipeline.BoundedReads;
import io.millrace.jobtracker.pipeline.PipelineBounds;
import io.millrace.jobtracker.pipeline.WaitingBytes;
import io.millrace.jobtracker.pipeline.WritePipeline;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore.Kept;
import io.millrace.jobtracker.store.kept.KeptStore.Kind;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores what workers want to keep, in batches, with one pipeline per node group, and answers what
 * earlier attempts kept. The stored row of the execution decides whether the worker holds it, so
 * any tracker may answer. Thread-safe.
 */
public final class KeepService {
  private static final int MAX_BATCH = 64;
  private static final int MAX_WAITING = 10_000;
  private static final long MAX_BATCH_BYTES = 1 << 20;

  /** The most bytes of values that wait to be stored, for all node groups together. */
  private static final long MAX_WAITING_BYTES = 64 << 20;

  private record Write(String workerId, KeepRequest request) {}

  private final Stores stores;
  private final StoreQuotas quotas;
  private final TimedExecutor time;
  private final WritePipeline.PerGroup<Write, KeepReply> pipelines;
  private final BoundedReads reads;

  /**
   * @param quotas whether there is room for more values
   */
  public KeepService(Stores stores, StoreQuotas quotas, TimedExecutor time) {
    this.stores = stores;
    this.quotas = quotas;
    this.time = time;
    PipelineBounds<Write> bounds =
        new PipelineBounds<>(
            MAX_BATCH,
            MAX_BATCH_BYTES,
            MAX_WAITING,
            new WaitingBytes(MAX_WAITING_BYTES),
            write -> KeepRequest.bytesOf(write.request().value()));
    this.pipelines =
        new WritePipeline.PerGroup<>(
            "keep", time.executor(), bounds, (group, writes) -> store(group, writes));
    this.reads = new BoundedReads(time.executor());
  }

  /**
   * Stores a value; the reply is sent after the commit. When there is no room, checkpoints are put
   * off. Steps are not: their bodies have run, and would run again if their values were lost.
   */
  public CompletableFuture<KeepReply> keep(Peer worker, KeepRequest request) {
    String fault = faultOf(request);
    if (fault != null) {
      return CompletableFuture.failedFuture(new RpcException(ErrorCode.BAD_REQUEST, fault));
    }
    String full = request.kind() == KeptKind.CHECKPOINT ? quotas.faultOfKept() : null;
    if (full != null) {
      return CompletableFuture.failedFuture(putOff(full));
    }
    return request.isTooLarge()
        ? CompletableFuture.completedFuture(new KeepReply(KeepStatus.TOO_LARGE))
        : pipelines.writeAll(worker.group(), List.of(new Write(worker.nodeId(), request))).get(0);
  }

  private static RpcException putOff(String full) {
    return new RpcException(ErrorCode.UNAVAILABLE, full);
  }

  private static @Nullable String faultOf(KeepRequest request) {
    if (request.seq() < 1) {
      return "the number of a value must be 1 or more";
    }
    return switch (request.kind()) {
      case CHECKPOINT -> request.name() == null ? null : "a checkpoint has no name";
      case STEP, FAULT -> {
        String fault = KeepRequest.faultOfName(request.name());
        yield fault == null ? null : "the name of a step " + fault;
      }
      case UNKNOWN -> "the kind of the value is unknown to this version";
    };
  }

  /**
   * Writes in the order of the executions, so that trackers that write the same do not deadlock.
   */
  private List<KeepReply> store(String group, List<Write> batch) {
    long now = time.millis();
    List<Integer> order =
        IntStream.range(0, batch.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> batch.get(i).request().executionId()))
            .toList();
    List<KeepReply> stored =
        stores
            .transactions()
            .repeating(
                "keep values of " + group,
                () -> {
                  KeepReply[] replies = new KeepReply[batch.size()];
                  for (int i : order) {
                    Write write = batch.get(i);
                    replies[i] =
                        new KeepReply(stores.kept().write(write.workerId(), write.request(), now));
                  }
                  return List.of(replies);
                });
    for (int i = 0; i < batch.size(); i++) {
      if (stored.get(i).status() == KeepStatus.KEPT) {
        quotas.keptStored(KeepRequest.bytesOf(batch.get(i).request().value()));
      }
    }
    return stored;
  }

  /**
   * Reads what earlier attempts of an execution's trigger kept; a few reads run at a time. When
   * there is no room, a run that keeps nothing yet is put off: it waits before its first step.
   */
  public CompletableFuture<KeptReply> kept(Peer worker, KeptRequest request) {
    return reads.read(() -> read(worker.nodeId(), request.executionId()));
  }

  private KeptReply read(String workerId, long executionId) {
    Optional<Execution> found =
        stores.executing().find(List.of(executionId)).stream()
            .filter(execution -> execution.workerId().equals(workerId))
            .findFirst();
    if (found.isEmpty()) {
      return new KeptReply(KeepStatus.LOST, null, List.of());
    }
    Execution execution = found.get();
    List<Kept> kept = stores.kept().read(Run.of(execution));
    String full = kept.isEmpty() ? quotas.faultOfKept() : null;
    if (full != null) {
      throw putOff(full);
    }
    String runKey =
        kept.stream()
            .filter(row -> row.kind() == Kind.ORIGIN)
            .map(Kept::content)
            .findFirst()
            .orElseGet(() -> Run.keyOf(execution.nodeGroup(), execution));
    return new KeptReply(
        KeepStatus.KEPT,
        runKey,
        kept.stream().filter(row -> row.kind() != Kind.ORIGIN).map(KeepService::value).toList());
  }

  private static KeptReply.Value value(Kept row) {
    return switch (row.kind()) {
      case STEP -> new KeptReply.Value(KeptKind.STEP, row.name(), row.content());
      case FAULT -> new KeptReply.Value(KeptKind.FAULT, row.name(), row.content());
      case CHECKPOINT, ORIGIN -> new KeptReply.Value(KeptKind.CHECKPOINT, null, row.content());
    };
  }
}
