package io.millrace.scripts.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Buffers the lines of one response as they arrive. The buffer is bounded. */
final class EventLines implements Subscriber<String> {
  private static final int AHEAD = 256;

  /** An empty element marks the end. */
  private final LinkedBlockingQueue<Optional<String>> arrived = new LinkedBlockingQueue<>();

  private volatile @Nullable Subscription subscription;

  @Override
  public void onSubscribe(Subscription begun) {
    subscription = begun;
    begun.request(AHEAD);
  }

  @Override
  public void onNext(String line) {
    arrived.add(Optional.of(line));
  }

  @Override
  public void onError(Throwable failure) {
    end();
  }

  @Override
  public void onComplete() {
    end();
  }

  /** Marks the end of the lines. */
  void end() {
    arrived.add(Optional.empty());
  }

  /** Returns the next line, or null at the end or if no line arrives within this time. */
  @Nullable String take(Duration silence) throws InterruptedException {
    Optional<String> line = arrived.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null || line.isEmpty()) {
      return null;
    }
    Subscription begun = subscription;
    if (begun != null) {
      begun.request(1);
    }
    return line.get();
  }

  /** Cancels the subscription. */
  void cancel() {
    Subscription begun = subscription;
    if (begun != null) {
      begun.cancel();
    }
  }
}
