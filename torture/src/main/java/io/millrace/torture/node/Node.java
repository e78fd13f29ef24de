package io.millrace.torture.node;

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

  /**
   * Asks it to end, and kills it if it takes too long; returns when it is gone.
   *
   * @return whether it ended by itself
   */
  boolean stop();

  /**
   * Asks it to end, and kills it before it has ended, unless it is faster; returns when it is gone.
   *
   * @param moment when it is killed, from 0 to 1: the part that has gone by of the time that its
   *     last stop took
   * @return whether it was killed
   */
  boolean stopCutShort(double moment);

  /** Lets it do nothing any more, as kill -STOP does. */
  void freeze();

  /** Lets it go on; returns when what it had missed is made good. */
  void thaw();

  /**
   * Begins it again if it ended without having been told to.
   *
   * @return whether it had
   */
  boolean revive();
}
