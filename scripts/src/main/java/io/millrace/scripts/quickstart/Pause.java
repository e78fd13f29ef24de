package io.millrace.scripts.quickstart;

import java.time.Duration;

/** A wait that ends early when the process is asked to end. */
@FunctionalInterface
public interface Pause {

  /** Waits at most this long; returns whether the process was asked to end. */
  boolean await(Duration limit) throws InterruptedException;
}
