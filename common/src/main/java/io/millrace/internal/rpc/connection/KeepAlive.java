package io.millrace.internal.rpc.connection;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Ping;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.time.Timer;
import io.millrace.internal.time.Timer.Timeout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the other end is gone without a close: an end whose peer is a tracker pings a quiet
 * connection, and either end closes one that stays silent or whose frame stays incomplete.
 */
final class KeepAlive {
  private final Connection connection;
  private final ConnectionContext context;
  private volatile long receivedAt;
  private volatile boolean stopped;
  private volatile @Nullable Timeout next;

  KeepAlive(Connection connection, ConnectionContext context) {
    this.connection = connection;
    this.context = context;
  }

  /** Begins to watch; called after the handshake. */
  void watch() {
    received();
    scheduleNext(context.limits().pingInterval());
  }

  /** Records that data arrived, even a part of a frame. */
  void received() {
    receivedAt = context.clock().nanoTime();
  }

  void stop() {
    stopped = true;
    Timer.cancel(next);
  }

  private void scheduleNext(Duration wait) {
    if (!stopped) {
      next = context.timer().schedule(wait, connection.executor(), this::look);
    }
  }

  private void look() {
    Duration silence = Duration.ofNanos(context.clock().nanoTime() - receivedAt);
    Duration incomplete = connection.incompleteFor();
    if (incomplete.compareTo(context.limits().frameTimeout()) >= 0) {
      connection.abort(
          CutReason.SLOW_FRAME,
          "a frame is still incomplete after " + incomplete.toSeconds() + " s");
      return;
    }
    if (silence.compareTo(context.limits().idleTimeout()) >= 0) {
      connection.abort(CutReason.SILENT, "nothing received for " + silence.toSeconds() + " s");
      return;
    }
    boolean isQuiet = silence.compareTo(context.limits().pingInterval()) >= 0;
    if (isQuiet && connection.peer().role() == NodeRole.TRACKER) {
      connection.call(new Ping(), context.limits().idleTimeout());
    }
    scheduleNext(untilNextLook(silence));
  }

  /** At most the time until the silence reaches its limit. */
  private Duration untilNextLook(Duration silence) {
    Duration left = context.limits().idleTimeout().minus(silence);
    Duration interval = context.limits().pingInterval();
    return left.compareTo(interval) < 0 ? left : interval;
  }
}
