package io.millrace.tasktracker.pull;

import io.millrace.common.protocol.PullReply;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The worker's own view of the leases of what it holds. A lease runs from the sending of the last
 * answered pull that listed the execution, or brought it; the tracker's runs from when it heard
 * that pull, which is later. So the worker's view ends first, by a margin for timers that are late
 * and clocks that do not run alike. No answer, a lost connection and another tracker change
 * nothing: the lease stands until it has run out.
 *
 * <p>Confined to the loop. Times are monotonic, in nanoseconds.
 */
final class OwnLeases {
  /** The margin is this part of the lease. */
  private static final int MARGIN_PART = 10;

  private final Clock clock;
  private final Timer timer;
  private final Executor loop;
  private final Consumer<List<Long>> ranOut;
  private final Map<Long, Long> renewedAt = new HashMap<>();

  /** How long a lease is for this worker; 0 if no tracker has said so. */
  private long span;

  private Timer.@Nullable Timeout check;
  private long checkAt;

  /**
   * @param ranOut told executions whose lease has run out, each once
   */
  OwnLeases(Clock clock, Timer timer, Executor loop, Consumer<List<Long>> ranOut) {
    this.clock = clock;
    this.timer = timer;
    this.loop = loop;
    this.ranOut = ranOut;
  }

  /**
   * The owner has answered a pull.
   *
   * @param sentAt when that pull was sent
   * @param listed what it listed
   * @param leaseMillis what the answer says of the lease; null from a tracker that does not say how
   *     long it is
   */
  void answered(long sentAt, Collection<Long> listed, @Nullable Long leaseMillis) {
    if (leaseMillis != null && leaseMillis == PullReply.RENEWS_NOTHING) {
      return;
    }
    setSpan(leaseMillis == null ? 0 : leaseMillis * 1_000_000);
    for (Long executionId : listed) {
      renewedAt.computeIfPresent(executionId, (id, before) -> laterOf(before, sentAt));
    }
    watch();
  }

  /**
   * Whether what an answer brings has been held up for so long that its lease is over already, and
   * somebody else may have it.
   *
   * @param sentAt when the pull was sent
   * @param leaseMillis what the answer says of the lease, if anything; otherwise it is as before
   */
  boolean isOver(long sentAt, @Nullable Long leaseMillis) {
    long told = leaseMillis == null ? PullReply.RENEWS_NOTHING : leaseMillis;
    long allowed = told == PullReply.RENEWS_NOTHING ? span : spanOf(told * 1_000_000);
    return allowed > 0 && clock.nanoTime() - sentAt >= allowed;
  }

  /** A pull that was sent then has brought this execution. */
  void received(long executionId, long sentAt) {
    renewedAt.put(executionId, sentAt);
  }

  /** The execution is held no more. */
  void released(long executionId) {
    renewedAt.remove(executionId);
  }

  /** Watches nothing any more. */
  void stop() {
    renewedAt.clear();
    cancelCheck();
  }

  private void setSpan(long leaseNanos) {
    long newSpan = spanOf(leaseNanos);
    if (newSpan != span) {
      span = newSpan;
      cancelCheck();
    }
  }

  private static long spanOf(long leaseNanos) {
    return leaseNanos - leaseNanos / MARGIN_PART;
  }

  private static long laterOf(long one, long other) {
    return one - other > 0 ? one : other;
  }

  /** A check may come too early, never too late: renewals alone do not move it. */
  private void watch() {
    if (span == 0 || renewedAt.isEmpty()) {
      cancelCheck();
      return;
    }
    long earliest = renewedAt.values().stream().reduce((a, b) -> a - b < 0 ? a : b).orElseThrow();
    long due = earliest + span;
    if (check == null || due - checkAt < 0) {
      cancelCheck();
      checkAt = due;
      check = timer.schedule(Duration.ofNanos(due - clock.nanoTime()), loop, this::look);
    }
  }

  private void cancelCheck() {
    if (check != null) {
      check.cancel();
      check = null;
    }
  }

  private void look() {
    check = null;
    long now = clock.nanoTime();
    List<Long> over = new ArrayList<>();
    renewedAt.forEach(
        (executionId, since) -> {
          if (now - since >= span) {
            over.add(executionId);
          }
        });
    over.forEach(renewedAt::remove);
    if (!over.isEmpty()) {
      ranOut.accept(over);
    }
    watch();
  }
}
