package io.millrace.torture.node;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A tracker, a worker or a client: a JVM process that can be restarted many times. */
public final class JvmNode implements Node {
  private static final long STOP_MILLIS = 15_000;
  private static final long STOP_GUESS_MILLIS = 1_000;

  private final String name;
  private final IntFunction<ChildJvm> launcher;
  private final StopTimes stopTimes = new StopTimes(STOP_GUESS_MILLIS);
  private int starts;
  private @Nullable ChildJvm running;

  /**
   * @param launcher starts the process; receives the number of the start, from 1
   */
  public JvmNode(String name, IntFunction<ChildJvm> launcher) {
    this.name = name;
    this.launcher = launcher;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public synchronized void start() {
    if (running != null) {
      throw new IllegalStateException(name + " is already running");
    }
    starts++;
    running = launcher.apply(starts);
  }

  @Override
  public synchronized void kill() {
    ChildJvm process = running;
    running = null;
    if (process != null) {
      process.kill();
    }
  }

  @Override
  public synchronized boolean stop() {
    ChildJvm process = running;
    running = null;
    if (process == null) {
      return true;
    }
    long asked = System.nanoTime();
    boolean ended = process.stop(STOP_MILLIS);
    stopTimes.ended(asked);
    return ended;
  }

  @Override
  public synchronized boolean stopCutShort(double moment) {
    ChildJvm process = running;
    running = null;
    return process != null && !process.stop(stopTimes.until(moment));
  }

  @Override
  public synchronized void freeze() {
    send(Signal.STOP);
  }

  @Override
  public synchronized void thaw() {
    send(Signal.CONT);
  }

  private void send(Signal signal) {
    if (running != null && running.isAlive()) {
      signal.send(running.handle());
    }
  }

  /** Waits until the process has ended by itself, at most for this time; returns whether it has. */
  public boolean awaitEnd(long millis) {
    ChildJvm process;
    synchronized (this) {
      process = running;
    }
    return process == null || process.awaitEnd(millis);
  }

  @Override
  public synchronized boolean revive() {
    if (running == null || running.isAlive()) {
      return false;
    }
    running = null;
    start();
    return true;
  }
}
