package io.millrace.jobclient;

import io.millrace.common.rpc.Session;
import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Notices that no tracker has been connected for a while. Thread-safe. */
final class TrackerAbsence {
  private final Duration patience;
  private final Timer timer;
  private final Executor executor;
  private final Supplier<@Nullable Session> session;
  private final Runnable onGone;
  private Timer.@Nullable Timeout timeout;
  private boolean gone;
  private boolean closed;

  /**
   * Makes one that waits for {@link #begin}.
   *
   * @param onGone run on the executor once for each absence
   */
  TrackerAbsence(
      Duration patience,
      Timer timer,
      Executor executor,
      Supplier<@Nullable Session> session,
      Runnable onGone) {
    this.patience = patience;
    this.timer = timer;
    this.executor = executor;
    this.session = session;
    this.onGone = onGone;
  }

  /** No tracker is connected from now on. */
  synchronized void begin() {
    if (!closed) {
      timeout = timer.schedule(patience, executor, this::over);
    }
  }

  /** A tracker is connected. */
  synchronized void end() {
    gone = false;
    if (timeout != null) {
      timeout.cancel();
    }
  }

  private void over() {
    synchronized (this) {
      gone = session.get() == null;
      if (!gone || closed) {
        return;
      }
    }
    onGone.run();
  }

  /** Whether none has been connected for that long. */
  synchronized boolean isGone() {
    return gone;
  }

  /** Notices nothing any more. */
  synchronized void close() {
    closed = true;
    end();
  }
}
