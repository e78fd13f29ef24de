package io.millrace.jobtracker.complete;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.engine.WakeUp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Pushes feedback to clients as soon as there is some, and every 5 seconds. Thread-safe. */
public final class FeedbackService implements EngineService {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final RepeatedTimer timer;

  /**
   * Makes a service that is not started.
   *
   * @param push requests a run
   */
  public FeedbackService(FeedbackPusher pusher, Timers timers, WakeUp push) {
    this.timer =
        timers.timer(
            "push feedback",
            Pace.every(PERIOD),
            push,
            now -> {
              int unused = pusher.runOnce();
              return null;
            });
  }

  @Override
  public void start() {
    timer.start();
  }

  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy();
  }
}
