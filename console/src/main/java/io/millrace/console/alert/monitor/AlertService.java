package io.millrace.console.alert.monitor;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.time.Duty;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.observe.ObservedTracker;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches a tracker for alerts. Checks every second which messages are due, and has an {@link
 * AlertSender} deliver them to each receiver on the executor given for that. Reads memory only,
 * except for examples of waiting triggers, which are read from the store. Thread-safe.
 */
final class AlertService implements TrackerObserver {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final AlertMonitor monitor;
  private final TimedExecutor time;
  private final Executor executor;
  private final Supplier<@Nullable String> trouble;
  private final OldestWaiting oldestWaiting;
  private final RepeatedTimer write;
  private final List<Round> rounds;

  /** A sender and the timer that runs it. */
  private record Round(AlertSender sender, RepeatedTimer timer) {}

  AlertService(Alerting alerting, ObservedTracker tracker) {
    this.monitor = new AlertMonitor(alerting.rules(), tracker.address());
    this.time = tracker.time();
    this.executor = alerting.executor();
    this.trouble = tracker.trouble();
    this.oldestWaiting = new OldestWaiting(tracker.waiting(), alerting.rules().examples());
    this.write = timer("alerts", time.executor(), this::runOnce, tracker);
    AlertCounts counts = new AlertMeters(tracker.meters());
    this.rounds =
        alerting.receivers().stream()
            .map(receiver -> round(new AlertSender(receiver, counts), executor, tracker))
            .toList();
  }

  private static Round round(AlertSender sender, Executor executor, ObservedTracker tracker) {
    return new Round(
        sender,
        timer(
            "alerts to " + sender.receiver(),
            executor,
            Duty.counting("alerts delivered", sender::runOnce),
            tracker));
  }

  private static RepeatedTimer timer(
      String name, Executor executor, Duty task, ObservedTracker tracker) {
    TimedExecutor time = tracker.time();
    return new RepeatedTimer(
        name, time.timer(), executor, time.clock(), Pace.every(PERIOD), tracker.random(), task);
  }

  @Override
  public void ended(LedgerEntry row) {
    monitor.ended(row);
  }

  @Override
  public void handedOut(String nodeGroup, List<Assignment> assignments, long now) {
    monitor.handedOut(nodeGroup, assignments, now);
  }

  @Override
  public void serves(Collection<String> nodeGroups, long now) {
    monitor.serves(nodeGroups, now);
  }

  @Override
  public void counted(String nodeGroup, GroupStats stats, long now) {
    monitor.counted(nodeGroup, stats, now);
  }

  @Override
  public void trackerGone(Tracker gone, long now) {
    monitor.trackerGone(gone, now);
  }

  @Override
  public void start() {
    write.start();
    rounds.forEach(round -> round.timer().start());
  }

  /** Returns the headlines of the messages that are due, for the log. */
  private @Nullable Object runOnce(long now) {
    monitor.healthIs(trouble.get(), now);
    AlertMonitor.Due due = monitor.runOnce(now);
    return handOver(
        new AlertMonitor.Due(
            due.messages().stream().map(message -> oldestWaiting.name(message, now)).toList(),
            due.lost()));
  }

  private @Nullable Object handOver(AlertMonitor.Due due) {
    for (Round round : rounds) {
      round.sender().missed(due.lost());
      round.sender().take(due.messages());
    }
    List<AlertMessage> messages = due.messages();
    return messages.isEmpty() ? null : messages.stream().map(AlertWords::headline).toList();
  }

  @Override
  public CompletableFuture<Void> stop() {
    return CompletableFuture.allOf(
        Stream.concat(Stream.of(write), rounds.stream().map(Round::timer))
            .map(RepeatedTimer::destroy)
            .toArray(CompletableFuture[]::new));
  }

  /** Delivers what is left, once, without retries. */
  @Override
  public CompletableFuture<Void> finish() {
    handOver(monitor.last(time.millis()));
    return CompletableFuture.allOf(
        rounds.stream()
            .map(
                round ->
                    CompletableFuture.runAsync(() -> round.sender().last(time.millis()), executor))
            .toArray(CompletableFuture[]::new));
  }
}
