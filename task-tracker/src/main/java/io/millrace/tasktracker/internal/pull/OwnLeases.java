package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The worker's own view of the leases of the executions that it holds. For the tracker, a lease
 * begins when it receives a pull that lists the execution, or when it has claimed the execution.
 * For the worker, it begins when it sends that pull, or as long after the sending as the tracker
 * reports; both are earlier. The worker also subtracts a margin for late timers and clocks of
 * different speed, so its view of a lease ends first. A missing answer, a lost connection or a
 * change of tracker does not end a lease: it is valid until its time is over.
 *
 * <p>Confined to the loop. Times are monotonic, in nanoseconds.
 */
final class OwnLeases {
  /** The margin is the lease divided by this number. */
  private static final int MARGIN_PART = 10;

  private final TimedExecutor loop;
  private final Consumer<List<Long>> ranOut;
  private final Map<Long, Long> renewedAt = new HashMap<>();

  /** The length of a lease for this worker, in nanoseconds; 0 if no tracker has reported it. */
  private long span;

  private Timer.@Nullable Timeout check;
  private long checkAt;

  /**
   * Creates a view without leases.
   *
   * @param ranOut receives the executions whose lease has ended, each once
   */
  OwnLeases(TimedExecutor loop, Consumer<List<Long>> ranOut) {
    this.loop = loop;
    this.ranOut = ranOut;
  }

  /**
   * Renews leases, because the owner has answered a pull.
   *
   * @param sentAt when that pull was sent
   * @param listed the executions that the pull listed
   * @param leaseMillis the length of the lease in the answer; {@link PullReply#RENEWS_NOTHING} if
   *     the pull renewed no lease; null if the tracker does not report it
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
   * Returns whether an answer was delayed for so long that the leases of its executions are over,
   * and other workers may have them.
   *
   * @param leasedAt the earliest time at which these leases can have begun
   * @param leaseMillis the length of the lease in the answer; null if it contains none, which means
   *     the last known length
   */
  boolean isOver(long leasedAt, @Nullable Long leaseMillis) {
    long reported = leaseMillis == null ? PullReply.RENEWS_NOTHING : leaseMillis;
    long allowed = reported == PullReply.RENEWS_NOTHING ? span : spanOf(reported * 1_000_000);
    return allowed > 0 && loop.clock().nanoTime() - leasedAt >= allowed;
  }

  /** Returns whether half the time has passed until the first of the leases ends. */
  boolean isAnyHalfOver() {
    long now = loop.clock().nanoTime();
    return span > 0 && renewedAt.values().stream().anyMatch(since -> now - since >= span / 2);
  }

  /**
   * Records an execution that the answer to a pull contained.
   *
   * @param leasedAt the earliest time at which its lease can have begun
   */
  void received(long executionId, long leasedAt) {
    renewedAt.put(executionId, leasedAt);
  }

  /** Removes an execution that is no longer held. */
  void released(long executionId) {
    renewedAt.remove(executionId);
  }

  /** Removes all leases and stops watching. */
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

  /**
   * Sets the next check. A check may be too early, but never too late: a renewal alone does not
   * move it.
   */
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
      check = loop.schedule(Duration.ofNanos(due - loop.clock().nanoTime()), this::look);
    }
  }

  private void cancelCheck() {
    Timer.cancel(check);
    check = null;
  }

  private void look() {
    check = null;
    long now = loop.clock().nanoTime();
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
