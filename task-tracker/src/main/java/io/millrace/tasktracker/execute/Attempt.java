package io.millrace.tasktracker.execute;

import io.millrace.common.protocol.ExecutionResult;
import io.millrace.common.time.Clock;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One assignment in its slot: runs the body once and tells how it ended, whatever it throws.
 *
 * <p>Thread-safe. An interrupt reaches the thread only while the body runs, and the thread's
 * interrupt flag is cleared under the same lock when the body has ended, so it cannot leak into
 * whatever the thread does next.
 */
final class Attempt implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  private enum State {
    QUEUED,
    RUNNING,
    ENDED
  }

  private final AttemptContext context;
  private final JobRunner runner;
  private final Clock clock;
  private final Consumer<ExecutionResult> ended;

  private State state = State.QUEUED;
  private @Nullable Thread thread;
  private boolean interrupted;

  /**
   * @param ended told once, on the job's thread, with the interrupt flag clear
   */
  Attempt(AttemptContext context, JobRunner runner, Clock clock, Consumer<ExecutionResult> ended) {
    this.context = context;
    this.runner = runner;
    this.clock = clock;
    this.ended = ended;
  }

  AttemptContext context() {
    return context;
  }

  /** Keeps the body from beginning; returns false if it has begun. */
  synchronized boolean cancelBeforeStart() {
    if (state != State.QUEUED) {
      return false;
    }
    state = State.ENDED;
    return true;
  }

  /** Interrupts the body if it runs. */
  synchronized void interrupt() {
    if (thread != null) {
      interrupted = true;
      thread.interrupt();
    }
  }

  @Override
  public void run() {
    if (!begin()) {
      return;
    }
    Instant startedAt = clock.now();
    Result returned = null;
    Throwable thrown = null;
    Map<String, String> outerMdc = enterMdc();
    try {
      returned = runner.run(context);
    } catch (Throwable any) {
      thrown = any;
    }
    boolean interruptPending = end();
    leaveMdc(outerMdc);
    ended.accept(describe(returned, thrown, interruptPending, startedAt));
    if (thrown != null) {
      tell(thrown);
    }
  }

  private synchronized boolean begin() {
    if (state != State.QUEUED) {
      return false;
    }
    state = State.RUNNING;
    thread = Thread.currentThread();
    boolean stale = Thread.interrupted();
    if (stale) {
      LOG.debug("execute: cleared an interrupt that was not meant for {}", context);
    }
    return true;
  }

  private synchronized boolean end() {
    state = State.ENDED;
    thread = null;
    return Thread.interrupted();
  }

  private ExecutionResult describe(
      @Nullable Result returned,
      @Nullable Throwable thrown,
      boolean interruptPending,
      Instant startedAt) {
    long id = context.executionId();
    Instant finishedAt = clock.now();
    if (thrown == null) {
      return EndedAttempt.returned(id, returned, startedAt, finishedAt);
    }
    if (wasInterrupted() && (interruptPending || Interruption.isCauseOf(thrown))) {
      return EndedAttempt.interrupted(id, startedAt, finishedAt);
    }
    return EndedAttempt.threw(id, thrown, startedAt, finishedAt);
  }

  private synchronized boolean wasInterrupted() {
    return interrupted;
  }

  /**
   * Comes after the result, because a log may fail on a throwable that cannot print itself. Memory
   * that is out is everybody's concern: the thread's own handler must see it too.
   */
  private void tell(Throwable thrown) {
    if (thrown instanceof Error) {
      LOG.error("execute: {} threw an error", context, thrown);
    } else {
      LOG.debug("execute: {} threw", context, thrown);
    }
    if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
      throw fatal;
    }
  }

  private @Nullable Map<String, String> enterMdc() {
    Map<String, String> outer = MDC.getCopyOfContextMap();
    MDC.put("taskId", context.taskId());
    MDC.put("executionId", Long.toString(context.executionId()));
    MDC.put("attempt", Integer.toString(context.attempt()));
    return outer;
  }

  private static void leaveMdc(@Nullable Map<String, String> outer) {
    if (outer == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(outer);
    }
  }
}
