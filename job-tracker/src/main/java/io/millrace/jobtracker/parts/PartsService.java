package io.millrace.jobtracker.parts;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.job.JobRules;
import io.millrace.internal.model.job.Rejection;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartResult;
import io.millrace.internal.protocol.PartsReply;
import io.millrace.internal.protocol.PartsRequest;
import io.millrace.internal.protocol.StageReply;
import io.millrace.internal.protocol.StageRequest;
import io.millrace.internal.protocol.StageStatus;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.batch.StagedRemains;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartState;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.lane.JobLanes;
import io.millrace.jobtracker.pipeline.BoundedReads;
import io.millrace.jobtracker.pipeline.PipelineBounds;
import io.millrace.jobtracker.pipeline.WaitingBytes;
import io.millrace.jobtracker.pipeline.WritePipeline;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.Staged;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores parts that handlers make of their runs, one request a transaction, and answers reduces how
 * the parts of their runs ended. The stored row of the execution decides whether the worker holds
 * it, so any tracker may answer. Thread-safe.
 */
public final class PartsService {
  private static final int MAX_WAITING = 1_000;

  /** The most bytes of parameters that wait to be stored, for all node groups together. */
  private static final long MAX_WAITING_BYTES = 32 << 20;

  private record Write(String workerId, StageRequest request) {}

  private final Stores stores;
  private final JobLanes lanes;

  /** What attempts staged that failed counts below its root until it is deleted. */
  private final StagedRemains remains;

  private final Function<FeatureLevel, @Nullable String> refusal;
  private final JsonCodec codec = new JsonCodec();
  private final WritePipeline.PerGroup<Write, StageReply> pipelines;
  private final BoundedReads reads;

  /**
   * @param refusal returns why nothing may be stored that needs a feature level; null if it may
   */
  public PartsService(
      Stores stores, Function<FeatureLevel, @Nullable String> refusal, TimedExecutor time) {
    this.stores = stores;
    this.lanes = new JobLanes(stores.lanes());
    this.remains = new StagedRemains(stores);
    this.refusal = refusal;
    PipelineBounds<Write> bounds =
        new PipelineBounds<>(
            1,
            StageRequest.MAX_BYTES,
            MAX_WAITING,
            new WaitingBytes(MAX_WAITING_BYTES),
            write -> write.request().bytes());
    this.pipelines =
        new WritePipeline.PerGroup<>(
            "stage", time.executor(), bounds, (group, writes) -> store(group, writes));
    this.reads = new BoundedReads(time.executor());
  }

  /** Stores parts; the reply is sent after the commit. */
  public CompletableFuture<StageReply> stage(Peer worker, StageRequest request) {
    int parts = request.parts().size();
    if (parts < 1 || parts > StageRequest.MAX_PARTS || request.first() < 1) {
      return badRequest(
          "a request has %d parts from number %d on; it must have 1 to %d, and numbers are from 1"
              .formatted(parts, request.first(), StageRequest.MAX_PARTS));
    }
    Optional<StageReply> invalid = firstInvalid(request);
    if (invalid.isPresent()) {
      return CompletableFuture.completedFuture(invalid.get());
    }
    return request.bytes() > StageRequest.MAX_BYTES && parts > 1
        ? badRequest(
            "the parameters of a request have %d bytes, and may have %d"
                .formatted(request.bytes(), StageRequest.MAX_BYTES))
        : pipelines.writeAll(worker.group(), List.of(new Write(worker.nodeId(), request))).get(0);
  }

  private static CompletableFuture<StageReply> badRequest(String fault) {
    return CompletableFuture.failedFuture(new RpcException(ErrorCode.BAD_REQUEST, fault));
  }

  private static Optional<StageReply> firstInvalid(StageRequest request) {
    return IntStream.range(0, request.parts().size())
        .mapToObj(i -> fault(request.first() + i, request.parts().get(i)))
        .flatMap(Optional::stream)
        .findFirst()
        .map(fault -> new StageReply(StageStatus.REFUSED, fault));
  }

  private static Optional<String> fault(int number, StagedPart part) {
    return JobRules.checkPart(part.handler(), part.params())
        .map(Rejection::message)
        .map(why -> "part " + number + ": " + why);
  }

  private List<StageReply> store(String group, List<Write> writes) {
    String refused = refusal.apply(FeatureLevel.PARTS);
    return writes.stream()
        .map(
            write ->
                refused == null
                    ? store(group, write)
                    : new StageReply(StageStatus.REFUSED, "a run cannot be split: " + refused))
        .toList();
  }

  private StageReply store(String group, Write write) {
    StageRequest request = write.request();
    List<PartDraft> parts =
        request.parts().stream()
            .map(part -> new PartDraft(part.handler(), encoded(part.params())))
            .toList();
    Lane lane = request.first() == 1 ? laneOfParts(request.executionId()) : null;
    Staged staged = stage(group, write, parts, lane);
    if (staged == Staged.TOO_MANY && remains.deleteAll(group) > 0) {
      staged = stage(group, write, parts, lane);
    }
    return reply(staged, request);
  }

  private Staged stage(String group, Write write, List<PartDraft> parts, @Nullable Lane lane) {
    StageRequest request = write.request();
    return stores
        .transactions()
        .repeating(
            "stage parts of " + group,
            () ->
                stores
                    .batches()
                    .stage(write.workerId(), request.executionId(), request.first(), parts, lane));
  }

  /** All parts that an execution makes wait in one lane, which is stored with the first of them. */
  private @Nullable Lane laneOfParts(long executionId) {
    return stores.executing().find(List.of(executionId)).stream()
        .findFirst()
        .map(run -> lanes.ofParts(run.nodeGroup(), run.spec().laneOrPlain()))
        .orElse(null);
  }

  private StoredParams encoded(Map<String, String> params) {
    if (params.isEmpty()) {
      return StoredParams.NONE;
    }
    String json = codec.encodeText(params);
    return new StoredParams(json.getBytes(StandardCharsets.UTF_8).length, json);
  }

  private static StageReply reply(Staged staged, StageRequest request) {
    return switch (staged) {
      case STORED -> new StageReply(StageStatus.STORED, null);
      case LOST ->
          new StageReply(
              StageStatus.LOST,
              "the worker does not hold execution "
                  + request.executionId()
                  + ", or it was told to stop");
      case CONFLICT ->
          new StageReply(
              StageStatus.CONFLICT, "part " + request.first() + " is not the next to be stored");
      case TOO_MANY ->
          new StageReply(
              StageStatus.TOO_MANY,
              "a run with all runs below it can have at most " + BatchBounds.MAX_PARTS + " parts");
      case TOO_DEEP ->
          new StageReply(
              StageStatus.TOO_DEEP,
              "parts can be split to a depth of " + BatchBounds.MAX_DEPTH + " at most");
      case TOO_LARGE ->
          new StageReply(
              StageStatus.TOO_LARGE,
              "the parts of a run can have at most " + BatchBounds.MAX_BYTES + " bytes");
    };
  }

  /** Reads how parts ended, for the reduce of their run; a few reads run at a time. */
  public CompletableFuture<PartsReply> read(Peer worker, PartsRequest request) {
    return reads.read(() -> readPage(worker.nodeId(), request));
  }

  private PartsReply readPage(String workerId, PartsRequest request) {
    Optional<Execution> found =
        stores.executing().find(List.of(request.executionId())).stream()
            .filter(execution -> execution.workerId().equals(workerId))
            .findFirst();
    PartOf of = found.map(execution -> execution.spec().part()).orElse(null);
    if (found.isEmpty() || of == null || !of.reduces()) {
      return new PartsReply(false, List.of(), false);
    }
    int own = found.get().key().ordinal();
    List<Part> page =
        stores
            .parts()
            .readPlaces(
                of.batchId(), request.aboveNumber(), PartsReply.MAX_PARTS, PartsReply.MAX_BYTES)
            .stream()
            .filter(part -> part.key().number() < own)
            .toList();
    boolean more = !page.isEmpty() && page.get(page.size() - 1).key().number() < own - 1;
    return new PartsReply(true, page.stream().map(this::result).toList(), more);
  }

  private PartResult result(Part part) {
    String params = part.params().json();
    return new PartResult(
        part.key().number(),
        part.state() == PartState.NOT_ENDED
            ? PartOutcome.UNKNOWN
            : PartOutcome.valueOf(part.state().name()),
        part.result(),
        params == null ? null : codec.decodeStrings(params));
  }
}
