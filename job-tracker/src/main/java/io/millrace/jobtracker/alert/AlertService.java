package io.millrace.jobtracker.alert;

import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.store.WaitingStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks every second which messages are due, and has an {@link AlertSender} deliver them to each
 * receiver on the executor given for that. Reads memory only, except for examples of waiting
 * triggers, which are read from the store. Thread-safe.
 */
public final class AlertService implements EngineService {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final AlertMonitor desk;
  private final TimedExecutor time;
  private final Executor executor;
  private final Supplier<@Nullable String> trouble;
  private final OldestWaiting oldestWaiting;
  private final RepeatedTimer write;
  private final List<Round> rounds;

  /** A sender and the timer that runs it. */
  private record Round(AlertSender courier, RepeatedTimer timer) {}

  /**
   * @param trouble what keeps this tracker from working; null if nothing does
   * @param listener notified of the deliveries of alerts
   */
  public AlertService(
      AlertMonitor desk,
      Alerting alerting,
      WaitingStore waiting,
      Supplier<@Nullable String> trouble,
      EngineListener listener,
      Timers timers) {
    this.desk = desk;
    this.time = timers.time();
    this.executor = alerting.executor();
    this.trouble = trouble;
    this.oldestWaiting = new OldestWaiting(waiting, alerting.rules().examples());
    this.write = timers.timer("alerts", Pace.every(PERIOD), this::runOnce);
    this.rounds =
        alerting.receivers().stream()
            .map(
                receiver -> round(new AlertSender(receiver, listener), alerting.executor(), timers))
            .toList();
  }

  private static Round round(AlertSender courier, Executor executor, Timers timers) {
    return new Round(
        courier,
        timers.timer(
            "alerts to " + courier.receiver(),
            Pace.every(PERIOD),
            executor,
            Duty.counting("alerts delivered", courier::runOnce)));
  }

  @Override
  public void start() {
    write.start();
    rounds.forEach(round -> round.timer().start());
  }

  /** Returns the headlines of the messages that are due, for the log. */
  private @Nullable Object runOnce(long now) {
    desk.healthIs(trouble.get(), now);
    AlertMonitor.Due due = desk.runOnce(now);
    return handOver(
        new AlertMonitor.Due(
            due.messages().stream().map(message -> oldestWaiting.name(message, now)).toList(),
            due.lost()));
  }

  private @Nullable Object handOver(AlertMonitor.Due due) {
    for (Round round : rounds) {
      round.courier().missed(due.lost());
      round.courier().take(due.messages());
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
    handOver(desk.last(time.millis()));
    return CompletableFuture.allOf(
        rounds.stream()
            .map(
                round ->
                    CompletableFuture.runAsync(() -> round.courier().last(time.millis()), executor))
            .toArray(CompletableFuture[]::new));
  }
}
