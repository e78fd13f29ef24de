package io.millrace.tasktracker;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a worker in steps, each bounded in time: pull no more jobs and give back those that have
 * not begun, let invocations end, interrupt them, send the remaining results and log lines, save
 * unsent results. Heartbeats continue until the last of these steps, so that leases are renewed
 * while invocations run.
 *
 * <p>Confined to the loop.
 */
final class GracefulStop {
  private static final Logger LOG = LoggerFactory.getLogger(GracefulStop.class);

  private final String name;
  private final StopConfig config;
  private final WorkerServices services;
  private final TimedExecutor loop;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  GracefulStop(String name, StopConfig config, WorkerServices services, TimedExecutor loop) {
    this.name = name;
    this.config = config;
    this.services = services;
    this.loop = loop;
  }

  /** Begins to stop the worker. The future completes when the services have stopped. */
  CompletableFuture<Void> begin() {
    services.pull().drain();
    services.attempts().giveBackUnstarted();
    int running = services.attempts().underWay().size();
    LOG.info("{} is stopping; {} running executions have {} to end", name, running, config.grace());
    whenDone(services.attempts().whenNone(), config.grace(), this::interrupt);
    return done;
  }

  private void interrupt() {
    services.attempts().interruptAll();
    whenDone(services.attempts().whenNone(), config.interruptGrace(), this::flush);
  }

  /**
   * Reports results also for invocations that ignored the interrupt, so that their triggers need
   * not wait until the leases end.
   */
  private void flush() {
    services.attempts().giveUpAll();
    services.logs().flush();
    CompletableFuture<Void> flushed =
        services
            .pull()
            .whenNoLateAnswers()
            .thenComposeAsync(
                none ->
                    CompletableFuture.allOf(
                        services.reporter().whenIdle(), services.logs().whenIdle()),
                loop);
    whenDone(flushed, config.flush(), this::save);
  }

  /**
   * Saves unsent results. Heartbeats end first, because results that are saved now are no longer
   * acknowledged in this process.
   */
  private void save() {
    services.pull().stop();
    services.logs().close();
    services.kept().close();
    whenDone(services.reporter().saveAll(), config.flush(), this::finish);
  }

  private void finish() {
    int saved = services.reporter().saved();
    int results = services.reporter().unanswered() - saved;
    int lines = services.logs().unsent();
    List<Long> running = new ArrayList<>(services.attempts().underWay());
    running.addAll(services.attempts().stuck());
    if (results == 0 && lines == 0 && running.isEmpty()) {
      LOG.info("{} has stopped; no work is left", name);
    } else {
      LOG.warn(
          "{} has stopped with {} results and {} log lines that were not delivered to a"
              + " tracker, and with invocations that are still running, of executions {}",
          name,
          results,
          lines,
          running);
    }
    if (saved > 0) {
      LOG.warn(
          "{} has {} undelivered results in its outbox; they are delivered when it is started"
              + " again with the same outbox",
          name,
          saved);
    }
    done.complete(null);
  }

  /** Runs the next step once, when the future is done or the time is over. */
  private void whenDone(CompletableFuture<Void> future, Duration atMost, Runnable next) {
    CompletableFuture<Void> step = new CompletableFuture<>();
    Timer.Timeout timeout = loop.schedule(atMost, () -> step.complete(null));
    future.whenCompleteAsync((none, failure) -> step.complete(null), loop);
    step.thenRun(
        () -> {
          timeout.cancel();
          next.run();
        });
  }
}
