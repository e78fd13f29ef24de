package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.measure.WallClock;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How many simulated workers are in which state, and what they have done. Thread-safe. */
final class WorkerCounts {
  private final AtomicInteger connected = new AtomicInteger();
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicLong accepted = new AtomicLong();
  private volatile long lastAcceptedMicros;
  private volatile @Nullable IOException lastLoss;

  void connected(int change) {
    int unused = connected.addAndGet(change);
  }

  void served(int change) {
    int unused = served.addAndGet(change);
  }

  void accepted(int results) {
    lastAcceptedMicros = WallClock.micros();
    long unused = accepted.addAndGet(results);
  }

  void lost(IOException why) {
    lastLoss = why;
  }

  /** Returns the number of workers whose connection the tracker has accepted. */
  int connected() {
    return connected.get();
  }

  /** Returns the number of workers whose last pull was answered by the tracker of their group. */
  int served() {
    return served.get();
  }

  /** Returns the number of results that the tracker has stored. */
  long accepted() {
    return accepted.get();
  }

  /** Returns when the tracker last answered that it had stored results, in epoch microseconds. */
  long lastAcceptedMicros() {
    return lastAcceptedMicros;
  }

  /** Returns why a worker last had no connection, for people. */
  String lastLoss() {
    IOException known = lastLoss;
    return known == null ? "none was lost" : "the last was lost because of " + known;
  }
}
