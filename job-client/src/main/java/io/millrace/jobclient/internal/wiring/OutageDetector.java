package io.millrace.jobclient.internal.wiring;

import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Detects that no tracker has been connected for a while. Thread-safe. */
final class OutageDetector {
  private final Duration patience;
  private final TimedExecutor time;
  private final TrackerLink link;
  private final Runnable onOutage;
  private Timer.@Nullable Timeout timeout;
  private boolean closed;

  /**
   * Creates a detector that waits for {@link #disconnected}.
   *
   * @param onOutage run on the executor once for each outage
   */
  OutageDetector(Duration patience, TimedExecutor time, TrackerLink link, Runnable onOutage) {
    this.patience = patience;
    this.time = time;
    this.link = link;
    this.onOutage = onOutage;
  }

  /** Records that no tracker is connected from now on. */
  synchronized void disconnected() {
    if (!closed) {
      timeout = time.schedule(patience, this::check);
    }
  }

  /** Records that a tracker is connected. */
  synchronized void connected() {
    Timer.cancel(timeout);
  }

  private void check() {
    synchronized (this) {
      if (closed || link.session() != null) {
        return;
      }
    }
    onOutage.run();
  }

  /** Stops the detection. */
  synchronized void close() {
    closed = true;
    connected();
  }
}
