package io.millrace.scripts.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The lines of one answer, as they come; a bounded number of them waits here to be taken. */
final class EventLines implements Subscriber<String> {
  private static final int AHEAD = 256;

  /** Empty is the end. */
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

  /** There will be no more. */
  void end() {
    arrived.add(Optional.empty());
  }

  /** The next line; null if there is none, or none has come for so long. */
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

  /** Whoever takes the lines has enough. */
  void cancel() {
    Subscription begun = subscription;
    if (begun != null) {
      begun.cancel();
    }
  }
}
