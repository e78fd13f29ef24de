package io.millrace.tasktracker.internal.execute;

import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the attempts under way. The {@code pull} package bounds their number. This class runs at
 * most as many invocations at once as there are slots. Each started attempt ends in exactly one
 * result, and reports exactly once that there is room for another.
 *
 * <p>Confined to the loop; invocations run on the executor for jobs.
 */
public final class Attempts {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  /** How long an attempt that could not begin keeps its slot. */
  private static final Duration REFUSAL_PAUSE = Duration.ofSeconds(1);

  /** How long an attempt waits for a slot before it is given back for another worker. */
  static final Duration PATIENCE = Duration.ofMillis(500);

  private final ExecuteConfig config;
  private final Runners<AttemptRunner> runners;
  private final Executor invocations;
  private final TimedExecutor loop;
  private final AttemptListener listener;
  private final Map<Long, Attempt> underWay = new LinkedHashMap<>();

  /** The timers that end interrupted attempts when their grace is over. */
  private final Map<Attempt, Timer.Timeout> graces = new LinkedHashMap<>();

  private final StuckInvocations stuck;
  private final InvocationSlots slots;
  private Timer.@Nullable Timeout impatience;
  private CompletableFuture<Void> none = CompletableFuture.completedFuture(null);

  /**
   * Creates a set without attempts.
   *
   * @param slots maximum number of invocations that run at once
   * @param invocations runs invocations
   * @param loop runs tasks one at a time, in order
   */
  public Attempts(
      int slots,
      ExecuteConfig config,
      Runners<AttemptRunner> runners,
      Executor invocations,
      TimedExecutor loop,
      AttemptListener listener) {
    this.slots = new InvocationSlots(slots);
    this.config = config;
    this.runners = runners;
    this.invocations = invocations;
    this.loop = loop;
    this.listener = listener;
    this.stuck = new StuckInvocations(config.maxStuckInvocations());
  }

  /**
   * Runs an assignment as soon as a slot is free for it. Its result is always reported in a later
   * turn of the loop.
   */
  public void start(Assignment assignment) {
    AttemptRunner runner = runners.find(assignment.handler());
    if (runner == null) {
      String message = runners.whyNone(assignment.handler());
      LOG.warn(
          "execute: execution {} of {}: {}",
          assignment.executionId(),
          assignment.taskId(),
          message);
      endUnbegun(assignment.executionId(), Outcome.UNKNOWN_HANDLER, message);
      return;
    }
    Attempt attempt = new Attempt(new AttemptContext(assignment), runner, loop.clock(), this);
    if (underWay.isEmpty()) {
      none = new CompletableFuture<>();
    }
    underWay.put(assignment.executionId(), attempt);
    if (slots.take(attempt, loop.clock().nanoTime())) {
      execute(attempt);
    } else if (impatience == null) {
      watchTheWaiting();
    }
  }

  private void watchTheWaiting() {
    impatience = loop.schedule(PATIENCE, this::giveBackThoseThatWait);
  }

  /**
   * Gives back the attempts that have waited too long for a slot. Invocations take longer than
   * before, so other workers should run the prefetched executions.
   */
  private void giveBackThoseThatWait() {
    impatience = null;
    slots
        .waitingSince(loop.clock().nanoTime() - PATIENCE.toNanos())
        .forEach(
            attempt -> {
              boolean unused = giveBackUnbegun(attempt, "no slot became free for it");
            });
    if (slots.isAnyWaiting()) {
      watchTheWaiting();
    }
  }

  private void freeSlotOf(Attempt attempt) {
    slots.leave(attempt);
    for (Attempt next = slots.next(); next != null; next = slots.next()) {
      execute(next);
    }
  }

  private void execute(Attempt attempt) {
    try {
      invocations.execute(attempt);
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      // No thread can be created. The slot stays taken for a while; otherwise the tracker would
      // assign the same execution again and get it back without a pause.
      LOG.warn("execute: the executor of invocations rejected {}", attempt.context(), refused);
      if (attempt.cancelBeforeStart()) {
        ExecutionResult result =
            neverBegan(
                attempt.context().executionId(),
                Outcome.NOT_STARTED,
                "the worker could not start it: " + refused.getClass().getName());
        loop.schedule(REFUSAL_PAUSE, () -> end(result));
      }
    }
  }

  /** Notifies the invocations of these executions that they should stop. */
  public void requestStop(Collection<Long> executionIds) {
    underWay(executionIds).forEach(attempt -> attempt.context().requestStop());
  }

  /** Interrupts these executions, which were terminated. A repeated call is safe. */
  public void terminate(Collection<Long> executionIds) {
    underWay(executionIds)
        .forEach(
            attempt -> {
              attempt.context().requestStop();
              stop(attempt, StopReason.TERMINATED);
            });
  }

  /**
   * Marks executions as possibly lost: no tracker has answered for so long that they may be
   * assigned to other workers. Notifies the invocations, and interrupts them if the configuration
   * says so. An invocation that ignores the interrupt keeps its slot and may still succeed, because
   * its lease may still be valid.
   */
  public void mayBeLost(Collection<Long> executionIds) {
    List<Attempt> concerned =
        underWay(executionIds).filter(attempt -> !attempt.context().isLost()).toList();
    if (concerned.isEmpty()) {
      return;
    }
    LOG.warn("execute: no answer for nearly a lease; executions possibly lost: {}", concerned);
    concerned.forEach(
        attempt -> {
          lose(attempt);
          if (config.interruptWhenLost() && !giveBackUnbegun(attempt, "the lease was lost")) {
            boolean unused = attempt.interrupt(StopReason.LEASE_LOST);
          }
        });
  }

  /** Marks executions as lost, because the tracker reported that it took them from this worker. */
  public void areLost(Collection<Long> executionIds) {
    underWay(executionIds)
        .forEach(
            attempt -> {
              if (!attempt.context().isLost()) {
                LOG.warn("execute: this worker has lost {}", attempt.context());
                lose(attempt);
              }
              if (config.interruptWhenLost()) {
                stop(attempt, StopReason.LEASE_LOST);
              }
            });
  }

  private void lose(Attempt attempt) {
    attempt.context().lose();
    listener.lost(attempt.context().executionId());
  }

  private Stream<Attempt> underWay(Collection<Long> executionIds) {
    return executionIds.stream()
        .flatMap(executionId -> Stream.ofNullable(underWay.get(executionId)))
        .toList()
        .stream();
  }

  /**
   * Stops an attempt. If its invocation has not begun, the attempt ends; otherwise the invocation
   * is interrupted and must end within the grace.
   */
  private void stop(Attempt attempt, StopReason reason) {
    if (graces.containsKey(attempt)
        || giveBackUnbegun(attempt, reason.words())
        || !attempt.interrupt(reason)) {
      return;
    }
    LOG.info("execute: {} is interrupted: {}", attempt.context(), reason.words());
    graces.put(attempt, loop.schedule(config.interruptGrace(), () -> giveUpStuck(attempt, reason)));
  }

  private void timeOut(Attempt attempt) {
    attempt.context().requestStop();
    stop(attempt, StopReason.TIMED_OUT);
  }

  private boolean giveBackUnbegun(Attempt attempt, String why) {
    if (!attempt.cancelBeforeStart()) {
      return false;
    }
    endUnbegun(attempt.context().executionId(), Outcome.NOT_STARTED, why);
    return true;
  }

  /** Ends an attempt without its invocation, because the invocation ignored the interrupt. */
  private void giveUpStuck(Attempt attempt, StopReason reason) {
    graces.remove(attempt);
    StackTraceElement[] stack = attempt.stackTrace();
    ExecutionResult result =
        attempt.abandon("; the invocation ignored the interrupt for " + config.interruptGrace());
    if (result == null) {
      return;
    }
    boolean slotIsFree = stuck.add(attempt);
    LOG.error(
        "execute: the invocation of {} is stuck: {}, and it ignored the interrupt for {}; {}; stuck"
            + " invocations: {}. Stack:{}",
        attempt.context(),
        reason.words(),
        config.interruptGrace(),
        slotIsFree
            ? "its slot is released for other work"
            : "its slot stays in use, because the limit of " + stuck.max() + " is reached",
        stuck.count(),
        EndedAttempt.stack(stack));
    endWithoutInvocation(attempt, result, slotIsFree);
  }

  private void endWithoutInvocation(Attempt attempt, ExecutionResult result, boolean slotIsFree) {
    underWay.remove(result.executionId(), attempt);
    Timer.cancel(graces.remove(attempt));
    if (slotIsFree) {
      freeSlotOf(attempt);
    }
    notifyEnd(result, slotIsFree);
  }

  /** Ends every attempt whose invocation has not begun. */
  public void giveBackUnstarted() {
    for (Attempt attempt : List.copyOf(underWay.values())) {
      boolean unused = giveBackUnbegun(attempt, "the worker was closed");
    }
  }

  /** Interrupts every invocation, because the worker is closed. */
  public void interruptAll() {
    stuck.all().forEach(attempt -> attempt.interrupt(StopReason.SHUTDOWN));
    underWay.values().forEach(attempt -> attempt.interrupt(StopReason.SHUTDOWN));
  }

  /**
   * Ends every attempt without waiting for its invocation, because the worker is closed. Otherwise
   * the triggers would wait until their leases end, which would also use up an attempt.
   */
  public void giveUpAll() {
    for (Attempt attempt : List.copyOf(underWay.values())) {
      ExecutionResult result = attempt.abandon(", and the invocation ignored the interrupt");
      if (result != null) {
        endWithoutInvocation(attempt, result, stuck.add(attempt));
      }
    }
  }

  /** Returns a future that completes when no attempt is under way. */
  public CompletableFuture<Void> whenNone() {
    return none;
  }

  /** Returns the execution ids of the attempts under way. */
  public List<Long> underWay() {
    return List.copyOf(underWay.keySet());
  }

  /** Returns the ids of the executions that have ended although their invocations continue. */
  public List<Long> stuck() {
    return stuck.all().stream().map(attempt -> attempt.context().executionId()).toList();
  }

  /** Returns the number of invocations that outlive their attempts. Thread-safe. */
  public int stuckCount() {
    return stuck.count();
  }

  private ExecutionResult neverBegan(long executionId, Outcome outcome, String message) {
    return EndedAttempt.neverBegan(executionId, outcome, message, loop.clock().now());
  }

  private void endUnbegun(long executionId, Outcome outcome, String message) {
    ExecutionResult result = neverBegan(executionId, outcome, message);
    loop.execute(() -> end(result));
  }

  private void end(ExecutionResult result) {
    Attempt attempt = underWay.remove(result.executionId());
    if (attempt != null) {
      Timer.cancel(graces.remove(attempt));
      freeSlotOf(attempt);
    }
    notifyEnd(result, true);
  }

  private void notifyEnd(ExecutionResult result, boolean slotIsFree) {
    try {
      listener.ended(result);
    } finally {
      if (slotIsFree) {
        listener.slotFreed(result.startedAt() != null);
      }
      if (underWay.isEmpty()) {
        none.complete(null);
      }
    }
  }

  private void endLate(Attempt attempt, ExecutionResult result) {
    boolean slotIsFree = stuck.remove(attempt);
    LOG.warn(
        "execute: the stuck invocation of {} has ended; its result {} is too late and is ignored;"
            + " stuck invocations: {}",
        attempt.context(),
        result.outcome(),
        stuck.count());
    if (slotIsFree) {
      freeSlotOf(attempt);
      listener.slotFreed(true);
    }
  }

  /**
   * Records that the invocation of an attempt begins. Called on its thread, as are {@link #ended}
   * and {@link #endedLate}, with the interrupt flag clear.
   *
   * @return the timer to cancel when the invocation ends, or null
   */
  Timer.@Nullable Timeout began(Attempt attempt) {
    Duration timeout = attempt.context().assignment().timeout();
    return timeout == null ? null : loop.schedule(timeout, () -> timeOut(attempt));
  }

  /** Reports the result of an attempt. */
  void ended(ExecutionResult result) {
    loop.execute(() -> end(result));
  }

  /** Reports the end of the invocation of an abandoned attempt. Its result is no longer needed. */
  void endedLate(Attempt attempt, ExecutionResult result) {
    loop.execute(() -> endLate(attempt, result));
  }
}
