package io.millrace.tasktracker;

import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogReply;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A tracker of one worker that keeps to the protocol and forgets nothing: parks pulls, carries
 * slots from pull to pull, and takes every result once. Thread-safe.
 */
final class PocketTracker implements RequestHandler {
  private final Timer timer;
  private final Executor executor;
  private final Duration parkTime;
  private final Deque<Assignment> due = new ArrayDeque<>();
  private final Map<Long, ExecutionResult> results = new LinkedHashMap<>();
  private final Map<Long, List<LogLine>> lines = new LinkedHashMap<>();
  private final List<PullRequest> pulls = new ArrayList<>();
  private final Map<Long, Grant> granted = new LinkedHashMap<>();
  private long lastExecutionId = 1_000_000;
  private long lastNumber;
  private int resent;
  private Parked parked;

  /** An execution handed out whose end is not known. */
  private record Grant(Assignment assignment, long pull, boolean listed) {}

  private record Parked(
      long number, int slots, CompletableFuture<PullReply> reply, Timer.Timeout[] timeout) {}

  PocketTracker(Timer timer, Executor executor) {
    this(timer, executor, Duration.ofSeconds(1));
  }

  /** A short time to park makes a worker's stop short, which waits for the answer to its pull. */
  PocketTracker(Timer timer, Executor executor, Duration parkTime) {
    this.timer = timer;
    this.executor = executor;
    this.parkTime = parkTime;
  }

  /** These executions are due now. */
  synchronized void offer(Assignment... assignments) {
    due.addAll(List.of(assignments));
    answerParkedIfDue();
  }

  synchronized List<ExecutionResult> results() {
    return List.copyOf(results.values());
  }

  synchronized List<LogLine> linesOf(long executionId) {
    return List.copyOf(lines.getOrDefault(executionId, List.of()));
  }

  synchronized List<PullRequest> pulls() {
    return List.copyOf(pulls);
  }

  /** How many results came more than once. */
  synchronized int resent() {
    return resent;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    if (request instanceof PullRequest pull) {
      return (CompletionStage<R>) pull(pull);
    }
    if (request instanceof CompleteRequest complete) {
      return (CompletionStage<R>) CompletableFuture.completedFuture(complete(complete));
    }
    return (CompletionStage<R>) CompletableFuture.completedFuture(store((LogRequest) request));
  }

  private synchronized CompletableFuture<PullReply> pull(PullRequest request) {
    pulls.add(request);
    if (request.number() < lastNumber) {
      return CompletableFuture.completedFuture(PullReply.of(List.of(), List.of()));
    }
    lastNumber = request.number();
    renew(request);
    int slots = request.slots();
    if (slots == 0) {
      return CompletableFuture.completedFuture(PullReply.of(List.of(), List.of()));
    }
    if (parked != null) {
      Parked older = parked;
      parked = null;
      boolean stillAwaited = request.openPulls().contains(older.number());
      older.timeout()[0].cancel();
      Long carriedTo = stillAwaited ? request.number() : null;
      slots += stillAwaited ? older.slots() : 0;
      older
          .reply()
          .complete(new PullReply(PullStatus.SERVED, List.of(), carriedTo, List.of(), null));
    }
    Parked mine =
        new Parked(request.number(), slots, new CompletableFuture<>(), new Timer.Timeout[1]);
    mine.timeout()[0] = timer.schedule(parkTime, executor, () -> expire(mine));
    parked = mine;
    answerParkedIfDue();
    return mine.reply();
  }

  private void renew(PullRequest request) {
    for (Grant grant : List.copyOf(granted.values())) {
      long id = grant.assignment().executionId();
      if (request.held().contains(id)) {
        granted.put(id, new Grant(grant.assignment(), grant.pull(), true));
      } else if (!grant.listed() && !request.openPulls().contains(grant.pull())) {
        handOutAgain(id);
      }
    }
  }

  private void handOutAgain(long executionId) {
    Grant grant = granted.remove(executionId);
    if (grant != null) {
      Assignment old = grant.assignment();
      due.add(
          new Assignment(
              ++lastExecutionId,
              old.nodeGroup(),
              old.taskId(),
              old.plannedFor(),
              old.ordinal(),
              old.dueAt(),
              old.attempt(),
              old.maxAttempts(),
              old.handler(),
              old.params(),
              old.timeout(),
              null));
    }
  }

  private synchronized void expire(Parked pull) {
    if (parked == pull) {
      parked = null;
      pull.reply().complete(PullReply.of(List.of(), List.of()));
    }
  }

  private void answerParkedIfDue() {
    if (parked == null || due.isEmpty()) {
      return;
    }
    Parked pull = parked;
    parked = null;
    pull.timeout()[0].cancel();
    List<Assignment> assignments = new ArrayList<>();
    while (assignments.size() < pull.slots() && !due.isEmpty()) {
      Assignment assignment = due.remove();
      granted.put(assignment.executionId(), new Grant(assignment, pull.number(), false));
      assignments.add(assignment);
    }
    pull.reply().complete(PullReply.of(assignments, List.of()));
  }

  private synchronized CompleteReply complete(CompleteRequest request) {
    for (ExecutionResult result : request.results()) {
      if (result.outcome() == Outcome.NOT_STARTED) {
        handOutAgain(result.executionId());
      } else {
        granted.remove(result.executionId());
      }
      if (results.putIfAbsent(result.executionId(), result) != null) {
        resent++;
      }
    }
    answerParkedIfDue();
    return new CompleteReply(
        request.results().stream().map(result -> CompletionStatus.ACCEPTED).toList());
  }

  private synchronized LogReply store(LogRequest request) {
    for (LogLine line : request.lines()) {
      List<LogLine> known = lines.computeIfAbsent(line.executionId(), id -> new ArrayList<>());
      if (known.stream().noneMatch(other -> other.sequence() == line.sequence())) {
        known.add(line);
      }
    }
    return new LogReply(request.lines().size());
  }
}
