package io.millrace.torture.network;

import java.util.EnumMap;
import java.util.Map;

/** How bytes of each direction are handled; lets threads wait for a change. Thread-safe. */
final class Wire {
  private final Map<Direction, Flow> flows = new EnumMap<>(Direction.class);
  private boolean closed;

  Wire() {
    for (Direction direction : Direction.values()) {
      flows.put(direction, Flow.FORWARD);
    }
  }

  synchronized Flow flow(Direction direction) {
    return flows.getOrDefault(direction, Flow.FORWARD);
  }

  synchronized void set(Direction direction, Flow flow) {
    flows.put(direction, flow);
    notifyAll();
  }

  /** Waits until bytes of this direction are delivered again, or the wire is closed. */
  synchronized void awaitLight(Direction direction) throws InterruptedException {
    while (!closed && flow(direction).isDark()) {
      wait();
    }
  }

  /** Like {@link #awaitLight}, but does not wait while data is discarded. */
  synchronized void awaitRelease(Direction direction) throws InterruptedException {
    while (!closed && flow(direction).kind() == Flow.Kind.HOLD) {
      wait();
    }
  }

  /** Releases all waiting threads. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
