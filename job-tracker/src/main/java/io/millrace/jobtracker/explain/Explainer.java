package io.millrace.jobtracker.explain;

import io.millrace.api.Explanation;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.explain.FactWriter;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Explains one task id. Every tracker answers. Only the tracker that serves a node group knows what
 * the workers of the group do; another tracker names that tracker instead. Thread-safe.
 */
public final class Explainer {
  private static final int MAX_TASK_ID_CHARS = 128;

  /** The most questions answered at a time, so that explanations do not use up the connections. */
  private static final int MAX_AT_ONCE = 4;

  /** A trigger may move while the store is read; reading again finds it. */
  private static final int ROUNDS = 3;

  private final Stores stores;
  private final TimedExecutor time;
  private final FactWriter writer;
  private final FindingsReader reader;
  private final UnknownTaskReader absences;
  private final Semaphore free = new Semaphore(MAX_AT_ONCE);

  /**
   * @param stores what is read
   * @param time clock and executor
   * @param timing times that the sentences name
   * @param live what this tracker holds in memory of the node groups it serves
   */
  public Explainer(Stores stores, TimedExecutor time, Timing timing, LiveGroups live) {
    this.stores = stores;
    this.time = time;
    this.writer = new FactWriter(timing);
    this.reader = new FindingsReader(stores, live);
    this.absences = new UnknownTaskReader(stores);
  }

  /** Explains a task id; fails if the store fails, or if too many questions are open. */
  public CompletableFuture<Explanation> explain(ExplainRequest request) {
    if (request.taskId().isEmpty() || request.taskId().length() > MAX_TASK_ID_CHARS) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.BAD_REQUEST,
              "a task id must have 1 to " + MAX_TASK_ID_CHARS + " characters"));
    }
    if (!free.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.UNAVAILABLE,
              "too many explanations in progress (limit " + MAX_AT_ONCE + "); try again"));
    }
    try {
      return CompletableFuture.supplyAsync(() -> explainNow(request), time.executor())
          .whenComplete((explanation, failure) -> free.release());
    } catch (RejectedExecutionException e) {
      free.release();
      throw e;
    }
  }

  private Explanation explainNow(ExplainRequest request) {
    Optional<NodeGroup> group = stores.nodeGroups().find(request.nodeGroup());
    return group.isPresent() ? explainIn(group.get(), request) : absent(request, null);
  }

  private Explanation explainIn(NodeGroup group, ExplainRequest request) {
    FindingsReader.Read read = reader.read(group, request.taskId(), time.millis());
    for (int round = 1; round < ROUNDS && writer.seemsTorn(read.found()); round++) {
      read = reader.read(group, request.taskId(), time.millis());
    }
    TaskSnapshot found = read.found();
    return found.isAnything()
        ? new Explanation(
            request.nodeGroup(),
            request.taskId(),
            Instant.ofEpochMilli(found.now()),
            writer.write(found, languageOf(request), request.zone()),
            List.of())
        : absent(request, read);
  }

  private static Locale languageOf(ExplainRequest request) {
    return request.language() == null ? Locale.ENGLISH : Locale.forLanguageTag(request.language());
  }

  private Explanation absent(ExplainRequest request, FindingsReader.@Nullable Read read) {
    UnknownTaskReader.Read absence =
        absences.read(request.nodeGroup(), request.taskId(), read == null ? null : read.search());
    return new Explanation(
        request.nodeGroup(),
        request.taskId(),
        Instant.ofEpochMilli(time.millis()),
        writer.write(absence.absence(), languageOf(request), request.zone()),
        absence.similarTaskIds());
  }
}
