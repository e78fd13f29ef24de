package io.millrace.spring.internal.embedded;

import io.millrace.spring.internal.config.TrackerAddresses;

/**
 * The tracker in the application. It runs as long as this bean exists: from before the client and
 * the worker are made, which need its address, until both are closed.
 *
 * <p>Names no type of the tracker, so that Spring can inspect it in an application without one.
 */
final class EmbeddedTracker implements TrackerAddresses, AutoCloseable {
  private final RunningTracker tracker;
  private final FileClaim claim;

  EmbeddedTracker(RunningTracker tracker, FileClaim claim) {
    this.tracker = tracker;
    this.claim = claim;
  }

  @Override
  public String[] trackers() {
    return new String[] {tracker.address()};
  }

  @Override
  public void close() {
    try (claim) {
      tracker.close();
    }
  }
}
