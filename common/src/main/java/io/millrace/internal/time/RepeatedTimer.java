package io.millrace.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Duty} again and again, on an executor, never two runs at a time.
 *
 * <ul>
 *   <li>{@link #start} schedules the first run after one period; a {@link #wake} after that runs
 *       the duty at once. The period counts from the end of a run to the start of the next.
 *   <li>{@link #wake} asks for a run that begins after the call. A wake during a run causes another
 *       run; all wakes before a run begins share that run.
 *   <li>{@link #stop} lets a run under way finish and begins no other until {@link #start}. {@link
 *       #destroy} stops for ever.
 *   <li>Every exception of the duty is logged with the timer's name, and the timer continues. After
 *       a failure the wait doubles with every further failure, up to {@link #LONGEST_BACKOFF} or
 *       the period, whichever is longer; a wake shortens the wait, down to {@link #REST}. If the
 *       executor rejects a run, this counts as a failed run, and the timer retries sooner than
 *       after other failures.
 * </ul>
 *
 * <p>An executor that runs tasks in the calling thread works, but a duty that keeps waking its own
 * timer then recurses. Thread-safe.
 */
public final class RepeatedTimer {
  /** Shortest wait after a failed run (100 ms), even after a wake. */
  public static final Duration REST = Duration.ofMillis(100);

  /** Longest wait after failures (30 s), for periods shorter than this. */
  public static final Duration LONGEST_BACKOFF = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(RepeatedTimer.class);
  private static final int MOST_DOUBLINGS = 16;

  private final String name;
  private final Timer timer;
  private final Executor executor;
  private final Clock clock;
  private final Pace pace;
  private final RandomGenerator random;
  private final Duty duty;

  private final Object lock = new Object();
  private RepeatedTimerState state = RepeatedTimerState.STOPPED;

  /**
   * Identifies the only expiry or rejection that is still valid; one with an older ticket is
   * ignored.
   */
  private long ticket;

  private Timer.@Nullable Timeout timeout;
  private CompletableFuture<Void> run = CompletableFuture.completedFuture(null);
  private int failures;
  private long failedAtNanos;

  /**
   * Makes a timer that is not started.
   *
   * @param name appears in every log line
   * @param timer schedules the waits
   * @param executor runs the duty
   * @param clock supplies the time that the duty receives
   * @param random spreads the waits by the pace's jitter; equal seeds give equal waits
   */
  public RepeatedTimer(
      String name,
      Timer timer,
      Executor executor,
      Clock clock,
      Pace pace,
      RandomGenerator random,
      Duty duty) {
    this.name = name;
    this.timer = timer;
    this.executor = executor;
    this.clock = clock;
    this.pace = pace;
    this.random = random;
    this.duty = duty;
  }

  /**
   * Starts the timer. Does nothing if it is started; if a stop still waits for a run, the stop is
   * cancelled.
   *
   * @throws IllegalStateException if it was destroyed
   */
  public void start() {
    synchronized (lock) {
      switch (state) {
        case STOPPED -> {
          failures = 0;
          scheduleIn(spreadNanos(pace.period().toNanos()));
          become(RepeatedTimerState.WAITING);
        }
        case STOPPING -> become(RepeatedTimerState.RUNNING);
        case WAITING, QUEUED, RUNNING, RUNNING_WOKEN -> {}
        case DESTROYING, DESTROYED ->
            throw new IllegalStateException("timer " + name + " was destroyed");
      }
    }
  }

  /** Runs the duty as soon as possible. Does nothing unless the timer is started. */
  public void wake() {
    long mine;
    synchronized (lock) {
      if (state == RepeatedTimerState.RUNNING) {
        become(RepeatedTimerState.RUNNING_WOKEN);
      }
      if (state != RepeatedTimerState.WAITING) {
        return;
      }
      stopWaiting();
      long rest = restNanos();
      if (rest > 0) {
        await(rest);
        return;
      }
      become(RepeatedTimerState.QUEUED);
      mine = ticket;
    }
    handOver(mine);
  }

  /**
   * Begins no further run until {@link #start}.
   *
   * @return completed when the run under way, if there is one, has ended; never exceptionally. The
   *     duty itself must not wait for it.
   */
  public CompletableFuture<Void> stop() {
    return halt(RepeatedTimerState.STOPPING, RepeatedTimerState.STOPPED);
  }

  /** Begins no further run, for ever. Otherwise the same as {@link #stop}. */
  public CompletableFuture<Void> destroy() {
    return halt(RepeatedTimerState.DESTROYING, RepeatedTimerState.DESTROYED);
  }

  /** The current state; may be out of date when returned, unless the timer is destroyed. */
  public RepeatedTimerState state() {
    synchronized (lock) {
      return state;
    }
  }

  @Override
  public String toString() {
    return "RepeatedTimer " + name + " " + state();
  }

  private CompletableFuture<Void> halt(
      RepeatedTimerState whileRunning, RepeatedTimerState otherwise) {
    synchronized (lock) {
      RepeatedTimerState target = state.isRunning() ? whileRunning : otherwise;
      if (state.next().contains(target)) {
        stopWaiting();
        become(target);
      }
      return run.copy();
    }
  }

  private void expired(long mine) {
    synchronized (lock) {
      if (ticket != mine) {
        return;
      }
      become(RepeatedTimerState.QUEUED);
    }
    handOver(mine);
  }

  private void handOver(long mine) {
    try {
      executor.execute(this::runIfQueued);
    } catch (Throwable refused) {
      LOG.warn("{}: {} rejected the run", name, executor, refused);
      synchronized (lock) {
        if (ticket == mine && state == RepeatedTimerState.QUEUED) {
          countFailure();
          become(RepeatedTimerState.WAITING);
          await(Math.min(periodNanos(), REST.toNanos() * doublings()));
        }
      }
    }
  }

  /**
   * A cancelled hand-over finds another state and does nothing, or runs for the hand-over that
   * replaced it.
   */
  private void runIfQueued() {
    CompletableFuture<Void> thisRun = new CompletableFuture<>();
    synchronized (lock) {
      if (state != RepeatedTimerState.QUEUED) {
        return;
      }
      become(RepeatedTimerState.RUNNING);
      run = thisRun;
    }
    boolean succeeded = false;
    try {
      succeeded = perform();
    } finally {
      end(thisRun, succeeded);
    }
  }

  /** Returns false if the duty threw. A pass that did nothing is not logged. */
  private boolean perform() {
    try {
      Object done = duty.runOnce(clock.millis());
      if (done != null) {
        LOG.info("{}: {}", name, done);
      }
      logRecovery();
      return true;
    } catch (Throwable thrown) {
      LOG.error("{}: a run failed", name, thrown);
      return false;
    }
  }

  private void end(CompletableFuture<Void> thisRun, boolean succeeded) {
    boolean again;
    long mine;
    synchronized (lock) {
      if (succeeded) {
        failures = 0;
      } else {
        countFailure();
      }
      again = leaveRun();
      mine = ticket;
    }
    thisRun.complete(null);
    if (again) {
      handOver(mine);
    }
  }

  /** Returns true if a further run is to be handed over at once. */
  private boolean leaveRun() {
    switch (state) {
      case RUNNING -> {
        become(RepeatedTimerState.WAITING);
        await(periodNanos());
      }
      case RUNNING_WOKEN -> {
        if (failures == 0) {
          ticket++;
          become(RepeatedTimerState.QUEUED);
          return true;
        }
        become(RepeatedTimerState.WAITING);
        await(restNanos());
      }
      case STOPPING -> become(RepeatedTimerState.STOPPED);
      case DESTROYING -> become(RepeatedTimerState.DESTROYED);
      default -> throw new IllegalStateException(name + " ended a run in state " + state);
    }
    return false;
  }

  private void await(long nanos) {
    try {
      scheduleIn(nanos);
    } catch (RuntimeException closed) {
      LOG.error("{}: the next run cannot be scheduled; only a wake-up will start it", name, closed);
    }
  }

  private void scheduleIn(long nanos) {
    long mine = ++ticket;
    // The expiry is as short as a hand-over, so it runs on the timer's own thread. This class does
    // the hand-over, not the timer, so that it sees a rejection by the executor.
    timeout =
        timer.schedule(Duration.ofNanos(Math.max(1, nanos)), Runnable::run, () -> expired(mine));
  }

  private void stopWaiting() {
    ticket++;
    Timer.cancel(timeout);
    timeout = null;
  }

  private void become(RepeatedTimerState next) {
    if (!state.next().contains(next)) {
      throw new IllegalStateException("timer " + name + " cannot go from " + state + " to " + next);
    }
    state = next;
  }

  private void logRecovery() {
    int overcome;
    synchronized (lock) {
      overcome = failures;
    }
    if (overcome > 0) {
      LOG.info("{}: succeeded again after {} failures", name, overcome);
    }
  }

  private void countFailure() {
    failures++;
    failedAtNanos = clock.nanoTime();
  }

  private long restNanos() {
    if (failures == 0) {
      return 0;
    }
    long rest = Math.min(REST.toNanos(), pace.period().toNanos());
    return rest - (clock.nanoTime() - failedAtNanos);
  }

  private long periodNanos() {
    long period = pace.period().toNanos();
    long bound = Math.max(period, LONGEST_BACKOFF.toNanos());
    return spreadNanos(period > bound / doublings() ? bound : period * doublings());
  }

  /** 1 up to the first failure, then twice as much with each further one. */
  private long doublings() {
    return 1L << Math.min(Math.max(0, failures - 1), MOST_DOUBLINGS);
  }

  private long spreadNanos(long nanos) {
    return Math.round(nanos * (1 + pace.jitter() * (2 * random.nextDouble() - 1)));
  }
}
