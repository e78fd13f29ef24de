package io.millrace.jobtracker.store.jdbc.connect;

import java.time.Duration;

/** Waits between two attempts of a transaction. A simulation passes one that does not wait. */
@FunctionalInterface
public interface RetryPause {

  void pause(Duration duration) throws InterruptedException;

  /** Lets the calling thread sleep. */
  static RetryPause sleeping() {
    return duration -> Thread.sleep(duration.toMillis());
  }
}
