package io.millrace.torture.process;

/**
 * One process of a run, which is ended and begun again on the same data. One thing is done to it at
 * a time. Thread-safe.
 */
public interface Node {

  /** What it is called in what the run prints. */
  String name();

  /** Begins it; returns when the process is there, which need not be ready yet. */
  void start();

  /** Ends it as kill -9 does, also while it is frozen; returns when it is gone. */
  void kill();

  /** Asks it to end, and kills it if it takes too long; returns when it is gone. */
  void stop();

  /** Lets it do nothing any more, as kill -STOP does. */
  void freeze();

  /** Lets it go on. */
  void thaw();

  /**
   * Begins it again if it ended without having been told to.
   *
   * @return whether it had
   */
  boolean revive();
}
