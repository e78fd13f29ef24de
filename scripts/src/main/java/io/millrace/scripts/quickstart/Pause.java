package io.millrace.scripts.quickstart;

import java.time.Duration;

/** A wait that a request to end the process interrupts. */
@FunctionalInterface
public interface Pause {

  /** Waits at most this long; returns whether the process was asked to end. */
  boolean await(Duration limit) throws InterruptedException;
}
