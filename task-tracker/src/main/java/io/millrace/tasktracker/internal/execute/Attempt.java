package io.millrace.tasktracker.internal.execute;

import io.millrace.api.TraceContext;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One assignment in its slot: runs the invocation once and reports its result, including any
 * throwable.
 *
 * <p>Thread-safe. An interrupt reaches the thread only while the invocation runs. When the
 * invocation has ended, the thread's interrupt flag is cleared under the same lock, so the
 * interrupt cannot reach the next task of the thread.
 */
final class Attempt implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
  private static final StackTraceElement[] NOWHERE = {};

  private enum State {
    QUEUED,
    RUNNING,
    /** The result was reported without waiting for the invocation, which continues. */
    ABANDONED,
    ENDED
  }

  private final AttemptContext context;
  private final AttemptRunner runner;
  private final Clock clock;
  private final Attempts attempts;

  private State state = State.QUEUED;
  private @Nullable Thread thread;
  private @Nullable Instant startedAt;
  private @Nullable StopReason stopReason;
  private StackTraceElement[] interruptedAt = NOWHERE;

  Attempt(AttemptContext context, AttemptRunner runner, Clock clock, Attempts attempts) {
    this.context = context;
    this.runner = runner;
    this.clock = clock;
    this.attempts = attempts;
  }

  AttemptContext context() {
    return context;
  }

  /** Prevents the invocation from beginning. Returns false if it has begun. */
  synchronized boolean cancelBeforeStart() {
    if (state != State.QUEUED) {
      return false;
    }
    state = State.ENDED;
    return true;
  }

  /**
   * Interrupts the invocation. Returns false if it does not run. The first lasting reason is
   * recorded.
   */
  synchronized boolean interrupt(StopReason reason) {
    if (thread == null) {
      return false;
    }
    if (stopReason == null || !stopReason.isLasting()) {
      stopReason = reason;
      interruptedAt = thread.getStackTrace();
    }
    thread.interrupt();
    return true;
  }

  /**
   * Ends the attempt although its invocation continues; the invocation was interrupted before.
   *
   * @param ignored which interrupt the invocation ignored, as the end of the message
   * @return the result, or null if the invocation does not run
   */
  synchronized @Nullable ExecutionResult abandon(String ignored) {
    if (state != State.RUNNING || thread == null) {
      return null;
    }
    state = State.ABANDONED;
    StopReason reason = stopReason == null ? StopReason.SHUTDOWN : stopReason;
    return context.marked(
        EndedAttempt.stopped(
            context,
            reason,
            reason.words() + ignored + EndedAttempt.stack(thread.getStackTrace()),
            startedAt,
            clock.now()));
  }

  /** Returns the stack trace of the invocation; empty if it does not run. */
  synchronized StackTraceElement[] stackTrace() {
    return thread == null ? NOWHERE : thread.getStackTrace();
  }

  @Override
  public void run() {
    if (!begin()) {
      return;
    }
    InvocationResult returned = null;
    Throwable thrown = null;
    Timer.@Nullable Timeout limit = null;
    @Nullable Map<String, String> outerMdc = null;
    try {
      outerMdc = enterMdc();
      limit = attempts.began(this);
      returned = runner.run(context);
    } catch (Throwable any) {
      thrown = any;
    }
    Timer.cancel(limit);
    Ended how = end();
    leaveMdc(outerMdc);
    notifyEnd(how, context.marked(describeSafely(returned, thrown, how)));
    if (thrown != null) {
      logThrown(thrown);
    }
  }

  /** The state of the attempt when its invocation ended. */
  private enum Ended {
    UNDISTURBED,
    WITH_INTERRUPT_PENDING,
    ABANDONED
  }

  private synchronized boolean begin() {
    if (state != State.QUEUED) {
      return false;
    }
    state = State.RUNNING;
    thread = Thread.currentThread();
    startedAt = clock.now();
    boolean stale = Thread.interrupted();
    if (stale) {
      LOG.debug("execute: cleared an interrupt that was not intended for {}", context);
    }
    return true;
  }

  private synchronized Ended end() {
    boolean pending = Thread.interrupted();
    boolean abandoned = state == State.ABANDONED;
    state = State.ENDED;
    thread = null;
    if (abandoned) {
      return Ended.ABANDONED;
    }
    return pending ? Ended.WITH_INTERRUPT_PENDING : Ended.UNDISTURBED;
  }

  /**
   * Describes the end of the invocation, with a short description if the full one fails. If memory
   * ran out, it may be free again after the invocation has ended, so the second description may
   * succeed.
   */
  private ExecutionResult describeSafely(
      @Nullable InvocationResult returned, @Nullable Throwable thrown, Ended how) {
    try {
      return describe(returned, thrown, how);
    } catch (Throwable indescribable) {
      LOG.error("execute: the result of {} cannot be described", context, indescribable);
      return EndedAttempt.indescribable(
          context.executionId(), thrown == null ? indescribable : thrown, clock.now());
    }
  }

  private synchronized ExecutionResult describe(
      @Nullable InvocationResult returned, @Nullable Throwable thrown, Ended how) {
    Instant finishedAt = clock.now();
    StopReason reason = stopReason;
    if (reason == StopReason.TIMED_OUT) {
      // An invocation that hides the interrupt and returns must not turn its time-out into a
      // success.
      String where = EndedAttempt.stack(interruptedAt);
      return EndedAttempt.stopped(context, reason, reason.words() + where, startedAt, finishedAt);
    }
    long id = context.executionId();
    if (thrown == null) {
      return EndedAttempt.returned(id, returned, startedAt, finishedAt);
    }
    if (context.isLost()) {
      return EndedAttempt.lost(context, thrown, startedAt, finishedAt);
    }
    if (reason != null && (how == Ended.WITH_INTERRUPT_PENDING || Interruption.isCauseOf(thrown))) {
      return EndedAttempt.stopped(context, reason, reason.words(), startedAt, finishedAt);
    }
    return EndedAttempt.threw(id, thrown, startedAt, finishedAt);
  }

  private void notifyEnd(Ended how, ExecutionResult result) {
    if (how == Ended.ABANDONED) {
      attempts.endedLate(this, result);
    } else {
      attempts.ended(result);
    }
  }

  /**
   * Logs a throwable of the invocation. Called after the result is reported, because logging may
   * fail on a throwable that cannot print itself. A fatal error such as exhausted memory concerns
   * the whole JVM, so it is thrown again for the thread's own handler.
   */
  private void logThrown(Throwable thrown) {
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
    Assignment assignment = context.assignment();
    MDC.put("taskId", assignment.taskId());
    MDC.put("executionId", Long.toString(assignment.executionId()));
    MDC.put("attempt", Integer.toString(assignment.attempt()));
    TraceContext trace = assignment.trace();
    if (trace != null) {
      MDC.put("traceParent", trace.traceParent());
      MDC.put("traceId", trace.traceId());
    }
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
