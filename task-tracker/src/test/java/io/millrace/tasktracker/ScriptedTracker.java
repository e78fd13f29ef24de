package io.millrace.tasktracker;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.KeepReply;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeptReply;
import io.millrace.internal.protocol.KeptRequest;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogReply;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.PartsReply;
import io.millrace.internal.protocol.PartsRequest;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.StageReply;
import io.millrace.internal.protocol.StageRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.tracker.TrackerCaller;
import io.millrace.internal.rpc.tracker.TrackerConnectionListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A tracker whose answers to pulls a test gives one by one. Results and log lines are taken at
 * once, unless told otherwise. Thread-safe.
 */
final class ScriptedTracker implements TrackerCaller {

  /** A request and the answer it waits for. */
  record Call<Q, R>(Q request, CompletableFuture<R> answer) {}

  final List<Call<PullRequest, PullReply>> pulls = new CopyOnWriteArrayList<>();
  final List<Call<CompleteRequest, CompleteReply>> completes = new CopyOnWriteArrayList<>();
  final List<Call<LogRequest, LogReply>> logs = new CopyOnWriteArrayList<>();
  final List<Call<KeepRequest, KeepReply>> keeps = new CopyOnWriteArrayList<>();
  final List<Call<KeptRequest, KeptReply>> kepts = new CopyOnWriteArrayList<>();
  final List<Call<StageRequest, StageReply>> stages = new CopyOnWriteArrayList<>();
  final List<Call<PartsRequest, PartsReply>> parts = new CopyOnWriteArrayList<>();

  /** Every request, in the order it was sent. */
  final List<Request<?>> requests = new CopyOnWriteArrayList<>();

  /** Results in the order they were first accepted. */
  final List<ExecutionResult> results = new CopyOnWriteArrayList<>();

  final List<LogLine> lines = new CopyOnWriteArrayList<>();
  final List<String> preferred = new CopyOnWriteArrayList<>();

  /** What a request fails with before it is sent; null for none. */
  volatile Function<Request<?>, Supplier<RuntimeException>> unsendable = request -> null;

  volatile boolean answersCompletes = true;
  volatile boolean answersLogs = true;
  volatile boolean closed;

  private TrackerConnectionListener listener = new TrackerConnectionListener() {};

  @Override
  public void addListener(TrackerConnectionListener added) {
    listener = added;
  }

  @Override
  public void start() {}

  /** Connects the worker, which does not look at its session. */
  void connect() {
    listener.connected(null);
  }

  /** Loses the connection: calls under way fail, as those of a closed session do. */
  void disconnect() {
    listener.disconnected();
    RpcException gone = new RpcException(ErrorCode.UNAVAILABLE, "connection closed");
    pulls.forEach(call -> call.answer().completeExceptionally(gone));
    completes.forEach(call -> call.answer().completeExceptionally(gone));
    logs.forEach(call -> call.answer().completeExceptionally(gone));
    keeps.forEach(call -> call.answer().completeExceptionally(gone));
    kepts.forEach(call -> call.answer().completeExceptionally(gone));
    stages.forEach(call -> call.answer().completeExceptionally(gone));
    parts.forEach(call -> call.answer().completeExceptionally(gone));
  }

  @Override
  @SuppressWarnings("unchecked")
  public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
    requests.add(request);
    Supplier<RuntimeException> failure = unsendable.apply(request);
    if (failure != null) {
      throw failure.get();
    }
    if (request instanceof PullRequest pull) {
      return (CompletableFuture<R>) record(pulls, pull);
    }
    if (request instanceof CompleteRequest complete) {
      CompletableFuture<CompleteReply> answer = record(completes, complete);
      if (answersCompletes) {
        accept(complete, answer);
      }
      return (CompletableFuture<R>) answer;
    }
    if (request instanceof KeepRequest keep) {
      return (CompletableFuture<R>) record(keeps, keep);
    }
    if (request instanceof KeptRequest kept) {
      return (CompletableFuture<R>) record(kepts, kept);
    }
    if (request instanceof StageRequest stage) {
      return (CompletableFuture<R>) record(stages, stage);
    }
    if (request instanceof PartsRequest ofReduce) {
      return (CompletableFuture<R>) record(parts, ofReduce);
    }
    LogRequest log = (LogRequest) request;
    CompletableFuture<LogReply> answer = record(logs, log);
    if (answersLogs) {
      store(log, answer);
    }
    return (CompletableFuture<R>) answer;
  }

  private static <Q, R> CompletableFuture<R> record(List<Call<Q, R>> calls, Q request) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    calls.add(new Call<>(request, answer));
    return answer;
  }

  void accept(CompleteRequest request, CompletableFuture<CompleteReply> answer) {
    results.addAll(request.results());
    answer.complete(
        new CompleteReply(
            request.results().stream().map(result -> CompletionStatus.ACCEPTED).toList()));
  }

  /** Accepts every report that still waits, and those to come. */
  void acceptCompletes() {
    answersCompletes = true;
    for (Call<CompleteRequest, CompleteReply> call : completes) {
      if (!call.answer().isDone()) {
        accept(call.request(), call.answer());
      }
    }
  }

  void store(LogRequest request, CompletableFuture<LogReply> answer) {
    lines.addAll(request.lines());
    answer.complete(new LogReply(request.lines().size()));
  }

  /** Stores the lines of every request that still waits, and those to come. */
  void acceptLogs() {
    answersLogs = true;
    for (Call<LogRequest, LogReply> call : logs) {
      if (!call.answer().isDone()) {
        store(call.request(), call.answer());
      }
    }
  }

  PullRequest lastPull() {
    return pulls.get(pulls.size() - 1).request();
  }

  /** Whether the newest pull asks for work and waits for its answer. */
  boolean isAskedForWork() {
    Call<PullRequest, PullReply> newest = pulls.get(pulls.size() - 1);
    return newest.request().slots() > 0 && !newest.answer().isDone();
  }

  /** Answers the newest pull with these assignments. */
  void assign(Assignment... assignments) {
    answer(lastPull().number(), PullReply.of(List.of(assignments), List.of()));
  }

  void answer(long number, PullReply reply) {
    call(number).answer().complete(reply);
  }

  void fail(long number, RpcException failure) {
    call(number).answer().completeExceptionally(failure);
  }

  private Call<PullRequest, PullReply> call(long number) {
    return pulls.stream()
        .filter(pull -> pull.request().number() == number)
        .findFirst()
        .orElseThrow();
  }

  /** Log lines of one execution, in the order they were stored. */
  List<LogLine> linesOf(long executionId) {
    return new ArrayList<>(lines)
        .stream().filter(line -> line.executionId() == executionId).toList();
  }

  @Override
  public void prefer(String address) {
    preferred.add(address);
  }

  @Override
  public void preferAnother() {
    preferred.add("another");
  }

  @Override
  public void close() {
    closed = true;
    disconnect();
  }
}
