package io.millrace.jobtracker.complete;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.engine.WakeUp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Pushes feedback to clients, at once when there is some and every few seconds. Thread-safe. */
public final class FeedbackService implements EngineService {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final RepeatedTimer timer;

  /**
   * @param push asks for a run
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
