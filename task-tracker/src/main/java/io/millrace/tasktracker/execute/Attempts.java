package io.millrace.tasktracker.execute;

import io.millrace.common.model.Assignment;
import io.millrace.common.model.Outcome;
import io.millrace.common.protocol.ExecutionResult;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import io.millrace.tasktracker.JobLogger;
import io.millrace.tasktracker.JobRunner;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts under way. How many there may be is the pull room's concern; here each one that is
 * started ends in exactly one result.
 *
 * <p>Confined to the loop; bodies run on the executor of jobs.
 */
public final class Attempts {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  /** How long an attempt that could not be begun keeps its slot. */
  private static final Duration REFUSAL_PAUSE = Duration.ofSeconds(1);

  private final Runners runners;
  private final LongFunction<JobLogger> loggers;
  private final Executor jobs;
  private final Executor loop;
  private final Timer timer;
  private final Clock clock;
  private final AttemptListener listener;
  private final Map<Long, Attempt> underWay = new LinkedHashMap<>();
  private CompletableFuture<Void> none = CompletableFuture.completedFuture(null);

  /**
   * @param loggers gives the logger of an execution id
   * @param jobs runs bodies
   * @param loop runs tasks one at a time, in order
   */
  public Attempts(
      Runners runners,
      LongFunction<JobLogger> loggers,
      Executor jobs,
      Executor loop,
      Timer timer,
      Clock clock,
      AttemptListener listener) {
    this.runners = runners;
    this.loggers = loggers;
    this.jobs = jobs;
    this.loop = loop;
    this.timer = timer;
    this.clock = clock;
    this.listener = listener;
  }

  /** Runs an assignment. Its result always comes in a later turn of the loop. */
  public void start(Assignment assignment) {
    JobRunner runner = runners.find(assignment.handler());
    if (runner == null) {
      String message = "no runner of the name " + assignment.handler();
      LOG.warn(
          "execute: execution {} of {}: {}",
          assignment.executionId(),
          assignment.taskId(),
          message);
      endLater(neverBegan(assignment.executionId(), Outcome.UNKNOWN_HANDLER, message));
      return;
    }
    AttemptContext context =
        new AttemptContext(assignment, loggers.apply(assignment.executionId()));
    Attempt attempt = new Attempt(context, runner, clock, this::endLater);
    if (underWay.isEmpty()) {
      none = new CompletableFuture<>();
    }
    underWay.put(assignment.executionId(), attempt);
    execute(attempt);
  }

  private void execute(Attempt attempt) {
    try {
      jobs.execute(attempt);
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      // No thread can be made: the slot stays taken for a while, or the tracker would hand the same
      // execution out and get it back without a pause.
      LOG.warn("execute: the executor of jobs refused {}", attempt.context(), refused);
      attempt.cancelBeforeStart();
      ExecutionResult result =
          neverBegan(
              attempt.context().executionId(),
              Outcome.NOT_STARTED,
              "the worker could not begin it: " + refused.getClass().getName());
      timer.schedule(REFUSAL_PAUSE, loop, () -> end(result));
    }
  }

  /** The jobs of these executions were cancelled: tells the bodies. */
  public void requestStop(List<Long> executionIds) {
    for (Long executionId : executionIds) {
      Attempt attempt = underWay.get(executionId);
      if (attempt != null) {
        attempt.context().requestStop();
      }
    }
  }

  /** Ends every attempt whose body has not begun. */
  public void giveBackUnstarted() {
    for (Attempt attempt : underWay.values()) {
      if (attempt.cancelBeforeStart()) {
        long executionId = attempt.context().executionId();
        endLater(neverBegan(executionId, Outcome.NOT_STARTED, "the worker was closed"));
      }
    }
  }

  /** Interrupts every body. */
  public void interruptAll() {
    underWay.values().forEach(Attempt::interrupt);
  }

  /** Completes when no attempt is under way. */
  public CompletableFuture<Void> whenNone() {
    return none;
  }

  /** Execution ids of the attempts under way. */
  public List<Long> underWay() {
    return List.copyOf(underWay.keySet());
  }

  private ExecutionResult neverBegan(long executionId, Outcome outcome, String message) {
    return EndedAttempt.neverBegan(executionId, outcome, message, clock.now());
  }

  private void endLater(ExecutionResult result) {
    loop.execute(() -> end(result));
  }

  private void end(ExecutionResult result) {
    underWay.remove(result.executionId());
    listener.ended(result);
    if (underWay.isEmpty()) {
      none.complete(null);
    }
  }
}
